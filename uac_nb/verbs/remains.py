"""What is left of forgotten words: every byte that is ours is looked through, and what we cannot look into is named."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from uac_nb.log import Log
from uac_nb.log.foldings import Words
from uac_nb.store.homes import LOG
from uac_nb.verbs.forget import SHOWN

BEYOND = ("notebooks in which they were typed or shown", "backups, exports and copies made before", "the file they came from")
CHUNK = 1 << 20


def beyond(
    folder: Path, log: Log, words: Words, ours: Collection[str], models: Collection[str], unswept: str
) -> tuple[str, ...]:
    """Return where the words may still be. `ours` are the files of the project."""
    sent = [f"the provider of {name}, which read them" for name in sorted(models)]
    late = [f"free pages of the log, until it is opened again: {unswept}"] if unswept else []
    found = [*_in_log(log, words), *_in_files(folder, words, ours), *_in_git(folder / "project", words)] if words else []
    return (*late, *found, *sent, *BEYOND, _cells())


def _in_log(log: Log, words: Words) -> Iterator[str]:
    entries = (e for e in log.entries() if words.search(f"{e.session} {e.speaker} {e.text} {e.caption} {e.origin} {e.data}"))
    calls = (c for c in log.calls() if words.search(f"{c.purpose} {c.model} {c.request} {c.reply} {c.finish}"))
    yield from _named("entries of the log", [f"#{e.id} ({e.kind})" for e in entries])
    yield from _named("model calls of the log", [f"#{c.id}" for c in calls])


def _named(what: str, found: Collection[str]) -> Iterator[str]:
    if found:
        more = f" … {SHOWN} of {len(found):,} shown" if len(found) > SHOWN else ""
        yield f"{what} that still hold them: {', '.join([*found][:SHOWN])}{more}"


def _in_files(folder: Path, words: Words, ours: Collection[str]) -> Iterator[str]:
    """Files in the user's folder, by their names and bytes. Those of git are looked through unpacked."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_symlink() or not file.is_file() or name.startswith("project/.git/objects/"):
            continue
        if name.startswith(LOG):
            if _raw(file, words):
                yield f"{name}, which has them in its pages until the user is opened again"
        elif words.search(name) or words.search(file.read_text(encoding="utf-8", errors="replace")):
            mine = name.removeprefix("project/") in ours or name.startswith((".", "project/.git/"))
            yield f"{name}, which {'still holds them' if mine else 'holds them and is not ours to change'}"


def _raw(file: Path, words: Words) -> bool:
    """Whether the bytes of a file hold one, wherever they stand: also in what is no row of a table any more."""
    before = b""
    with file.open("rb") as opened:
        while data := opened.read(CHUNK):
            if words.in_bytes(before + data):
                return True
            before = data[-200:]
    return False


def _in_git(project: Path, words: Words) -> Iterator[str]:
    from dulwich.repo import Repo

    with Repo(str(project)) as repo:
        things = ((id.decode(), repo.object_store[id].as_raw_string()) for id in repo.object_store)
        held = [id[:10] for id, data in things if words.search(data.decode("utf-8", "replace"))]
    yield from _named("objects of the project's git", held)


def _cells() -> str:
    """IPython keeps every cell that was run, also of notebooks that were deleted; its files are not ours to open."""
    home = Path(os.environ.get("IPYTHONDIR") or Path.home() / ".ipython")
    kept = sorted(home.glob("profile_*/history.sqlite")) or [home / "profile_default" / "history.sqlite"]
    return f"IPython's history of cells ({', '.join(map(str, kept))}): `ipython history clear` empties it"

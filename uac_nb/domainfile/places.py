"""Which file of a domain holds a record: a mapping that is never changed, and of which a changed one is cheap to make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from zlib import crc32

SHARDS = 512
Shards = tuple[Mapping[str, str], ...]
_EMPTY: Shards = ({},) * SHARDS


class Places:
    """Ids and the part that each stands in. A change copies the shards that it touches, not the rest."""

    def __init__(self, shards: Shards = _EMPTY) -> None:
        self._shards = shards

    def get(self, id: str) -> str | None:
        return self._shards[_shard(id)].get(id)

    def changed(self, gone: Iterable[str] = (), new: Mapping[str, str] = {}) -> Places:
        """Without some ids, then with others.

        >>> Places().changed(new={"a": "trips_2024"}).changed(gone=["a"]).get("a")
        """
        shards = list(self._shards)
        own: dict[int, dict[str, str]] = {}
        for id in gone:
            _own(shards, own, id).pop(id, None)
        for id, part in new.items():
            _own(shards, own, id)[id] = part
        return Places(tuple(shards))


def _own(shards: list[Mapping[str, str]], own: dict[int, dict[str, str]], id: str) -> dict[str, str]:
    """The shard of an id, copied at its first change."""
    shard = _shard(id)
    if shard not in own:
        shards[shard] = own[shard] = dict(shards[shard])
    return own[shard]


def _shard(id: str) -> int:
    return crc32(id.encode("utf-8", "surrogatepass")) % SHARDS

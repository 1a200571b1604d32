"""Secrets, hidden by one function in whatever is shown, kept or logged of an endpoint, of settings and of what was typed.

Known are the secrets of the environment and of every model that was made; they are found however an endpoint spells them:
percent-encoded, escaped, in base64, or split over the strings of a JSON text. Others are known by their look only, and that
is a guess: it is for errors and logs, and not for a model's answer, which may hold what a person said.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

HIDDEN = "[hidden]"
KEY = re.compile(r"\b(?:sk-|hf_|gsk_|xai-|AIza)\w[\w-]*")  # what a key looks like
_NAME = r"(?:api[-_]?)?(?:key|token|secret|password|passwd|pwd|credentials?|sig|signature|code)"
_NAMED = re.compile(rf"(?:^|.*[-_]){_NAME}$", re.IGNORECASE)
_LOOKS = (
    KEY,
    re.compile(r"(?<=://)[^\s\"'<>]{1,400}(?=@)"),  # user and password of an address
    re.compile(rf"(?i:(?<=[?&;])(?P<kept>(?:\w+[-_])?{_NAME}=)[^&\s\"'<>]+)"),
    re.compile(r"(?i:\b(?P<kept>bearer\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,})"),
    re.compile(r"\b(?P<kept>[Bb]asic\s+)(?=[A-Za-z]*[\dA-Z+/=])[\w+/-]{6,}={0,2}"),
    re.compile(rf"(?i:(?P<kept>\b(?:authorization|(?:\w+[-_])?{_NAME})[\"']?\s*[:=]\s*[\"'])[^\"'\s]+(?: [^\"'\s]+)?)"),
)
SHORT, SHORTEST = 8, 4  # characters under which a secret counts only where it stands alone, and not at all
_PLAIN = re.compile(r"[\d.-]+(?:-preview)?|[a-z]+", re.IGNORECASE)  # a version, a day, a word: no secret of an address
_GAP = r"""(?:\\*"\s*,\s*\\*"\w{1,24}\\*"\s*:\s*\\*"|(?:[\s"'+,]|\\[nrt"\\]?){0,8})"""
_learned: set[str] = set()


def redacted(text: object, *, guess: bool = True) -> str:
    """Return text with the known secrets hidden, and with `guess` also what looks like one.

    >>> redacted("https://me:pass@h.example/v1?api-key=abc&v=2 refused Bearer abcdefgh1 and sk-abc")
    'https://[hidden]@h.example/v1?api-key=[hidden]&v=2 refused Bearer [hidden] and [hidden]'
    """
    told = str(text)
    for pattern in _patterns(frozenset(_learned | {*_environment()})):
        told = pattern.sub(HIDDEN, told)
    for look in _LOOKS if guess else ():
        told = look.sub(_hide, told)
    return told


def learn(key: str = "", address: str = "") -> None:
    """Hide this key from now on, and what is secret in this address: its user and password, and the values of its query."""
    _learned.update(secret for secret in (key, *_of_address(address)) if len(secret) >= SHORTEST)


def _hide(found: re.Match[str]) -> str:
    return f"{found.groupdict().get('kept') or ''}{HIDDEN}"


def _environment() -> Iterator[str]:
    for name, value in os.environ.items():
        if "://" in value:
            yield from _of_address(value)
        elif _NAMED.match(name) and len(value.strip()) >= SHORT:  # a shorter one is a word that stands for "no key"
            yield value.strip()


def _of_address(address: str) -> Iterator[str]:
    try:
        parts = urlsplit(address)
    except ValueError:  # a broken IPv6 address
        return
    login = parts.netloc.rpartition("@")[0]
    password = login.partition(":")[2] or login
    values = [value for name, value in parse_qsl(parts.query) if _NAMED.match(name) or not _PLAIN.fullmatch(value)]
    yield from (form for text in (login, password, *values) for form in {text, unquote(text)} if len(form) >= SHORTEST)


@lru_cache(maxsize=8)
def _patterns(secrets: frozenset[str]) -> tuple[re.Pattern[str], ...]:
    """Return what finds these, the longest first: spelled out, and in base64 (where case counts)."""
    ordered = sorted(secrets, key=lambda secret: (-len(secret), secret))
    spelled, encoded = map(_spelled, ordered), [form for secret in ordered for form in _encoded(secret)]
    found = [re.compile(form, re.IGNORECASE) for form in spelled]
    return (*found, re.compile("|".join(encoded))) if encoded else tuple(found)


def _spelled(secret: str) -> str:
    if len(secret) < SHORT:
        return rf"(?<![^\W_]){''.join(map(_character, secret))}(?![^\W_])"
    return f"{_GAP.join(map(_character, secret))}|{secret.encode().hex()}"


def _character(c: str) -> str:
    percent = "".join(f"%(?:25)*{byte:02x}" for byte in c.encode())
    return rf"(?:{re.escape(c)}|{percent}|\\+u{ord(c):04x}|&#0*{ord(c)};)"


def _encoded(secret: str) -> Iterator[str]:
    """Yield patterns of its base64, which depends on how many bytes stand before it."""
    data = secret.encode()
    for before, lead in enumerate((0, 2, 3)):
        text = b64encode(bytes(before) + data).decode()[lead : (before + len(data)) * 8 // 6]
        if len(text) >= SHORT:
            yield re.escape(text).replace(r"\+", "[+-]").replace("/", "[/_]") + r"[\w+/-]?={0,2}"

"""Who speaks in a WhatsApp chat, and what WhatsApp itself wrote into it: "Ann added you", "Messages are encrypted".

Nobody's name stands before a notice. But notices may hold ": " themselves, and then look like words of a strange speaker.
Their wording follows the language of the phone, so they are known by what is the same in all: a quotation that opens before
the colon and closes behind it (the new name of a group), a name of someone else in front of a sentence, or the word for
encryption. A name that only looks odd is a name; where that is a guess, the report lists the line.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

_MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_UNMARKED = str.maketrans("", "", _MARKS)
MARKS = f"[{_MARKS}]{{0,4}}"

_LONGEST = 100  # characters in a name
_CLOSING = {'"': '"', "„": "“”", "“": "”", "”": "”", "«": "»", "»": "«", "「": "」", "『": "』"}  # ”as in Swedish”
_SIGN = "\u3040-\u30ff\u3400-\u9fff"  # scripts without blanks
_UNSPACED, _SPACED = re.compile(f"[{_SIGN}]"), re.compile(rf"[^\s{_SIGN}]+")
_ENCRYPTED = re.compile(
    "end-to-end|ende-zu-ende|ende-til-ende|de bout en bout|de extremo a extremo|de ponta a ponta|ponto a ponto|szyfrowan"
    "|uçtan uca|сквозн|наскрізн|totalsträck|päästä päähän|šifrov|criptat|végpontok|άκρο|đầu cuối|menyeluruh|एंड-टू-एंड"
    "|تشفير|مشفر|מקצה לקצה|エンドツーエンド|종단|端到端|端對端",
    re.IGNORECASE,
)
_BOTH = re.compile(  # how the sentence on encryption begins: "Messages and calls"
    "messages and calls |nachrichten und anrufe |(les )?messages et les appels |(los )?mensajes y (las )?llamadas "
    "|(as )?mensagens e (as )?(chamadas|ligações) |(i )?messaggi e le chiamate |berichten en (oproepen|gesprekken) "
    "|wiadomości i (połączenia|rozmowy) |mesajlar ve aramalar |сообщения и звонки |pesan dan panggilan "
    "|الرسائل والمكالمات |ההודעות והשיחות |メッセージと通話|메시지와 통화|(消息|訊息|讯息)[和與与]通[话話]",
    re.IGNORECASE,
)
_DELETED = re.compile(
    "this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht"
    "|ce message a été supprimé|vous avez supprimé ce message|se eliminó este mensaje|eliminaste este mensaje"
    "|este mensaje fue eliminado|mensagem apagada|esta mensagem foi apagada|você apagou esta mensagem"
    "|questo messaggio è stato eliminato|hai eliminato questo messaggio|dit bericht is verwijderd"
    "|je hebt dit bericht verwijderd|u hebt dit bericht verwijderd|ta wiadomość została usunięta|usunięto tę wiadomość"
    "|bu mesaj silindi|bu mesajı sildiniz|данное сообщение удалено|вы удалили данное сообщение"
    "|このメッセージは削除されました|이 메시지는 삭제되었습니다|此消息已删除|此訊息已刪除|تم حذف هذه الرسالة",
    re.IGNORECASE,
)
_YOU = frozenset(
    (
        "You",
        "Du",
        "Vous",
        "Você",
        "Je",
        "Jij",
        "U",
        "Hai",
        "Has",
        "Ty",
        "Вы",
        "Ви",
        "Anda",
        "Siz",
        "Sinä",
        "あなた",
        "您",
        "你",
        "أنت",
    )
)


def named(text: str) -> str:
    """Return a name without the signs that only set its direction."""
    return text.translate(_UNMARKED).strip()


@dataclass
class Speakers:
    """The names before the first ": " of the heads of a chat, each with how often it stands there.

    `see` every head first; only all of them tell who speaks.
    """

    seen: Counter[str] = field(default_factory=Counter)

    def see(self, rest: str) -> None:
        """Look at what follows date and time."""
        if found := _split(rest):
            name, text = found
            if not (_is_quoted(name, text) or is_on_encryption(name)):
                self.seen[name] += 1

    def said(self, rest: str) -> tuple[str, str] | None:
        """Take the speaker and the words apart; None where nobody speaks."""
        short, colon, text = rest.partition(":")  # no blank stands behind some
        found = (named(short), text) if colon and text[:1] != " " and self._speaks(named(short)) else _split(rest)
        return found if found and self._speaks(found[0]) else None

    def doubt(self, rest: str) -> str:
        """Say what was guessed of a head; "" where nothing was."""
        found = _split(rest)
        if not found or self.seen[found[0]] != 1:
            return ""
        if not self._speaks(found[0]):
            return "taken for a notice of WhatsApp, not for words of somebody"
        is_odd = _size(found[0]) >= 6 or self._does(found[0]) >= 3
        return "taken for words of somebody of this long name; it may be a notice of WhatsApp" if is_odd else ""

    def _speaks(self, name: str) -> bool:
        return name in self.seen and not (self.seen[name] == 1 and self._does(name) >= 4)

    def _does(self, name: str) -> float:
        """How many words follow the name of someone else ("Ann changed the group description" → 4), 0 if none does."""
        for end in range(1, min(len(name), _LONGEST)):
            if (name[:end] in self.seen or name[:end] in _YOU) and _goes_on(name[end:]):
                return _size(name[end:])
        return 0


def _split(rest: str) -> tuple[str, str] | None:
    name, colon, text = rest.partition(": ")
    if not colon and rest.endswith(":"):
        name, colon = rest[:-1], ":"
    return (named(name), text) if colon and named(name) else None


def _is_quoted(name: str, text: str) -> bool:
    """Whether the colon stands within a quotation: it opens before, and closes behind."""
    closing = ""
    for sign in name:
        if not closing:
            closing = _CLOSING.get(sign, "")
        elif sign in closing:
            closing = ""
    return bool(closing) and any(sign in text for sign in closing)


def _goes_on(after: str) -> bool:
    """Whether a sentence goes on behind a name: a small letter after a blank, or a script without capitals."""
    blank = after[0] in " ,"
    first = after.lstrip(" ,")[:1]
    return first.isalpha() and not first.isupper() and (blank or not first.islower())


def _size(text: str) -> float:
    """How many words; three signs of a script without blanks count as one."""
    return len(_SPACED.findall(text)) + len(_UNSPACED.findall(text)) / 3


def is_on_encryption(text: str) -> bool:
    """Whether a name is rather the sentence on encryption.

    >>> is_on_encryption("Messages and calls are end-to-end encrypted"), is_on_encryption("End-to-End Solutions")
    (True, False)
    """
    return bool(_ENCRYPTED.search(text)) and _size(text) >= 4


def is_notice(text: str) -> bool:
    """Whether the words behind a name are WhatsApp's own: on encryption, as iPhones put it in a group, or of a deletion."""
    words = named(text)
    opening = words[:200]
    return bool(_DELETED.fullmatch(words.rstrip(".")) or (_BOTH.match(opening) and _ENCRYPTED.search(opening)))

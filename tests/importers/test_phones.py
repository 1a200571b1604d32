"""WhatsApp chats as phones of many languages export them, written by hand: notices with a colon, and names that look odd."""

from __future__ import annotations

from pathlib import Path

import pytest

from uac_nb.importers import read
from uac_nb.importers.report import Report
from uac_nb.log import Draft

L, R, NN, NB = "\u200e", "\u200f", "\u202f", "\u00a0"


def imported(tmp_path: Path, text: str) -> tuple[list[Draft], Report]:
    path = tmp_path / "WhatsApp Chat with Ann.txt"
    path.write_text(text, encoding="utf-8", newline="")
    done = read(path)
    return list(done.drafts), done.report


def _chat(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# By phone: the chat, what was said in it, how many notices it has, and how many media.
PHONES: dict[str, tuple[str, list[str], int, int]] = {
    "de-android": (
        _chat(
            "25.12.23, 22:35 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Mehr erfahren: https://faq.whatsapp.com",
            "25.12.23, 22:35 - Anna hat die Gruppe „Reise: Rom“ erstellt.",
            "25.12.23, 22:36 - Anna: Bin allergisch gegen Nüsse: bitte merken",
            "25.12.23, 22:36 - Bob B.: <Medien ausgeschlossen>",
            "25.12.23, 22:37 - Anna hat den Betreff von „Reise: Rom“ zu „Reise: Bari“ geändert.",
            f"25.12.23, 22:38 - Bob B.: {L}IMG-20231225-WA0001.jpg (Datei angehängt)",
            "Schau mal",
            "25.12.23, 22:39 - Anna hat die Gruppenbeschreibung geändert: Treffen um 8",
        ),
        [
            "Bin allergisch gegen Nüsse: bitte merken",
            "<Medien ausgeschlossen>",
            f"{L}IMG-20231225-WA0001.jpg (Datei angehängt)\nSchau mal",
        ],
        4,
        2,
    ),
    "de-ios": (
        _chat(
            f"[25.12.23, 22:35:07] Reise: {L}Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.",
            f"[25.12.23, 22:35:08] Anna: {L}Anna hat diese Gruppe erstellt.",
            f"[25.12.23, 22:35:09] ~{NN}Bob: Hallo: ich bin neu",
            f"{L}[25.12.23, 22:35:10] Anna: {L}Bild weggelassen",
            f"[25.12.23, 22:35:11] Anna: Neuer Plan {L}<Diese Nachricht wurde bearbeitet.>",
        ),
        ["Hallo: ich bin neu", f"{L}Bild weggelassen", f"Neuer Plan {L}<Diese Nachricht wurde bearbeitet.>"],
        2,
        1,
    ),
    "fr-android": (
        _chat(
            "25/12/2023 à 22:35 - Les messages et les appels sont chiffrés de bout en bout.",
            '25/12/2023 à 22:36 - Vous avez créé le groupe "Noël: chez nous"',
            "25/12/2023 à 22:36 - Anna a changé le sujet de « Noël : chez nous » à « Fête »",
            "25/12/2023 à 22:37 - Anna: Rendez-vous à 8h : apporte du vin",
            "25/12/2023 à 22:38 - Anna: <Médias omis>",
        ),
        ["Rendez-vous à 8h : apporte du vin", "<Médias omis>"],
        3,
        1,
    ),
    "fr-ios": (
        _chat(
            f"[25/12/2023 22:35:07] Anna: {L}Les messages et les appels sont chiffrés de bout en bout.",
            "[25/12/2023 22:35:08] Anna: Bonjour",
            f"[25/12/2023 22:35:09] Moi: {L}image absente",
        ),
        ["Bonjour", f"{L}image absente"],
        1,
        1,
    ),
    "es-android": (
        _chat(
            f"25/12/23, 10:35{NN}p.{NB}m. - Los mensajes y las llamadas están cifrados de extremo a extremo. Más información: https://whatsapp.com",
            f"25/12/23, 10:36{NN}p.{NB}m. - José Luis: Soy alérgico",
            f'25/12/23, 10:37{NN}p.{NB}m. - José Luis cambió el asunto de "A" a "B: c"',
            f"25/12/23, 10:38{NN}p.{NB}m. - Ana: <Multimedia omitido>",
            f"25/12/23, 10:39{NN}p.{NB}m. - Ana: Se eliminó este mensaje.",
        ),
        ["Soy alérgico", "<Multimedia omitido>"],
        3,
        1,
    ),
    "ptbr-android": (
        _chat(
            "25/12/2023 22:35 - As mensagens e as ligações são protegidas com a criptografia de ponta a ponta. Saiba mais: https://whatsapp.com",
            "25/12/2023 22:36 - João: Sou alérgico",
            "25/12/2023 22:37 - João: <Mídia oculta>",
            "25/12/2023 22:38 - João mudou o nome de “Natal: casa” para “Festa: rua”",
        ),
        ["Sou alérgico", "<Mídia oculta>"],
        2,
        1,
    ),
    "it-android": (
        _chat(
            "25/12/23, 22:35 - I messaggi e le chiamate sono crittografati end-to-end. Per saperne di più: https://whatsapp.com",
            "25/12/23, 22:36 - Anna: ciao",
            '25/12/23, 22:37 - Anna ha cambiato l\'oggetto da "A" a "B: c"',
            "25/12/23, 22:38 - Anna: <Media omessi>",
        ),
        ["ciao", "<Media omessi>"],
        2,
        1,
    ),
    "nl-android": (
        _chat(
            "25-12-2023 22:35 - Berichten en oproepen zijn end-to-end versleuteld. Meer info: https://whatsapp.com",
            "25-12-2023 22:36 - Anna de Vries: hoi",
            '25-12-2023 22:37 - Anna de Vries heeft het onderwerp gewijzigd van "A" naar "B: c"',
            "25-12-2023 22:38 - Anna de Vries: <Media weggelaten>",
        ),
        ["hoi", "<Media weggelaten>"],
        2,
        1,
    ),
    "pl-android": (
        _chat(
            "25.12.2023, 22:35 - Wiadomości i połączenia są w pełni szyfrowane. Dowiedz się więcej: https://whatsapp.com",
            "25.12.2023, 22:36 - Anna: cześć",
            "25.12.2023, 22:37 - Anna zmieniła(a) temat z „A” na „B: c”",
            "25.12.2023, 22:38 - Anna: <pominięto multimedia>",
        ),
        ["cześć", "<pominięto multimedia>"],
        2,
        1,
    ),
    "tr-android": (
        _chat(
            "25.12.2023 22:35 - Mesajlar ve aramalar uçtan uca şifrelidir. Daha fazla bilgi: https://whatsapp.com",
            "25.12.2023 22:36 - Ayşe: merhaba",
            '25.12.2023 22:37 - Ayşe, grubun konusunu "A: b" yerine "B: c" olarak değiştirdi',
            "25.12.2023 22:38 - Ayşe: <Medya dahil edilmedi>",
        ),
        ["merhaba", "<Medya dahil edilmedi>"],
        2,
        1,
    ),
    "ja-android": (
        _chat(
            "2023/12/25 22:35 - メッセージと通話はエンドツーエンドで暗号化されています。詳細: https://whatsapp.com",
            "2023/12/25 22:36 - 田中: こんにちは",
            "2023/12/25 22:37 - 田中が件名を「A: b」から「B: c」に変更しました",
            "2023/12/25 22:38 - 田中: <メディアは含まれていません>",
            "2023/12/25 22:39 - 田中がグループの説明を変更しました: 集合は8時",
        ),
        ["こんにちは", "<メディアは含まれていません>"],
        3,
        1,
    ),
    "ja-ios": (
        _chat(
            f"[2023/12/25 22:35:07] 田中: {L}メッセージと通話はエンドツーエンドで暗号化されています。",
            "[2023/12/25 22:35:08] 田中: こんにちは",
            f"[2023/12/25 22:35:09] 田中: {L}画像は省略されました",
        ),
        ["こんにちは", f"{L}画像は省略されました"],
        1,
        1,
    ),
    "ko-android": (
        _chat(
            "2023. 12. 25. 오후 10:35 - 메시지와 통화는 종단간 암호화됩니다. 더 알아보기: https://whatsapp.com",
            "2023. 12. 25. 오후 10:36 - 민수: 안녕",
            '2023. 12. 25. 오후 10:37 - 민수님이 그룹 주제를 "A: b"에서 "B: c"로 변경했습니다',
            "2023. 12. 25. 오후 10:38 - 민수: <미디어 파일을 생략한 대화내용>",
        ),
        ["안녕", "<미디어 파일을 생략한 대화내용>"],
        2,
        1,
    ),
    "ko-ios": (
        _chat(
            f"[2023. 12. 25. 오후 10:35:07] 민수: {L}메시지와 통화는 종단간 암호화됩니다.",
            "[2023. 12. 25. 오후 10:35:08] 민수: 안녕",
        ),
        ["안녕"],
        1,
        0,
    ),
    "ar-android": (
        _chat(
            "٢٥/١٢/٢٠٢٣، ١٠:٣٥ م - الرسائل والمكالمات مشفرة تمامًا بين الطرفين. اعرف المزيد: https://whatsapp.com",
            "٢٥/١٢/٢٠٢٣، ١٠:٣٦ م - سارة: مرحبا",
            '٢٥/١٢/٢٠٢٣، ١٠:٣٧ م - غيّر سارة الموضوع من "A" إلى "B: c"',
            "٢٥/١٢/٢٠٢٣، ١٠:٣٨ م - سارة: <تم استبعاد الوسائط>",
        ),
        ["مرحبا", "<تم استبعاد الوسائط>"],
        2,
        1,
    ),
    "ar-ios": (
        _chat(
            f"[٢٥{R}/١٢{R}/٢٠٢٣، ١٠:٣٥:٠٧ م] سارة: {L}الرسائل والمكالمات مشفرة تمامًا بين الطرفين.",
            f"[٢٥{R}/١٢{R}/٢٠٢٣، ١٠:٣٥:٠٨ م] سارة: مرحبا",
        ),
        ["مرحبا"],
        1,
        0,
    ),
    "enin-android": (
        _chat(
            f"25/12/23, 10:35{NN}pm - Messages and calls are end-to-end encrypted: only people in this chat can read them",
            f"25/12/23, 10:36{NN}pm - Priya: hi",
            f'25/12/23, 10:37{NN}pm - Priya changed the subject from "A" to "B: c"',
            f"25/12/23, 10:37{NN}pm - Priya changed the group description: meet at 8",
            f"25/12/23, 10:38{NN}pm - Priya: null",
            f"25/12/23, 10:39{NN}pm - Priya: This message was deleted",
        ),
        ["hi", "null"],
        4,
        0,
    ),
    "enus-ios": (
        _chat(
            f"[12/25/23, 10:35:07{NN}PM] Trip: {L}Messages and calls are end-to-end encrypted.",
            f"[12/25/23, 10:35:08{NN}PM] Boris: {L}Boris created group “Trip”",
            f"[12/25/23, 10:35:09{NN}PM] Boris: hi",
            f"[12/25/23, 10:35:10{NN}PM] Boris: {L}audio omitted",
        ),
        ["hi", f"{L}audio omitted"],
        2,
        1,
    ),
    "enus-ios-unmarked": (
        _chat(
            "[12/25/23, 10:35:07 PM] My Group: Messages and calls are end-to-end encrypted.",
            "[12/25/23, 10:35:08 PM] Boris: hi",
            "[12/25/23, 10:35:09 PM] Boris changed the subject to “A: b”",
        ),
        ["hi"],
        2,
        0,
    ),
    "zhcn-android": (
        _chat(
            "2023/12/25 晚上10:35 - 消息和通话已进行端到端加密。了解更多: https://whatsapp.com",
            "2023/12/25 晚上10:36 - 李雷: 你好",
            "2023/12/25 晚上10:37 - 李雷将主题从“A: b”更改为“B: c”",
            "2023/12/25 晚上10:38 - 李雷: <省略多媒体文件>",
        ),
        ["你好", "<省略多媒体文件>"],
        2,
        1,
    ),
    "zhtw-ios": (
        _chat(
            f"[2023/12/25 下午10:35:07] 李雷: {L}訊息和通話經端對端加密。",
            "[2023/12/25 下午10:35:08] 李雷: 你好",
        ),
        ["你好"],
        1,
        0,
    ),
    "ru-android": (
        _chat(
            "25.12.2023, 22:35 - Сообщения и звонки защищены сквозным шифрованием. Подробнее: https://whatsapp.com",
            "25.12.2023, 22:36 - Анна: привет",
            '25.12.2023, 22:37 - Анна изменил(-а) тему с "A" на "B: c"',
            "25.12.2023, 22:38 - Анна: <Без медиафайлов>",
        ),
        ["привет", "<Без медиафайлов>"],
        2,
        1,
    ),
    "web-copy": (
        _chat(
            "[10:35 PM, 12/25/2023] Ann: hi",
            "[10:36 PM, 12/25/2023] Bob: ho: ho",
        ),
        ["hi", "ho: ho"],
        0,
        0,
    ),
    "old-ios": (
        _chat(
            "12/25/14, 10:35:07 PM: Ann: hi",
            "12/25/14, 10:35:09 PM: Bob: ho",
            "12/25/14, 10:36:09 PM: Bob left",
        ),
        ["hi", "ho"],
        1,
        0,
    ),
    "sv-android": (
        _chat(
            "2023-12-25 22:35 - Ann: hej",
            "2023-12-25 22:36 - Ann ändrade ämnet från ”A: b” till ”B: c”",
        ),
        ["hej"],
        1,
        0,
    ),
}


@pytest.mark.parametrize("phone", PHONES)
def test_what_was_said_is_told_from_notices(tmp_path: Path, phone: str) -> None:
    text, said, notices, media = PHONES[phone]
    drafts, report = imported(tmp_path, text)
    assert [draft.text for draft in drafts] == said
    assert (report.system_lines, report.media) == (notices, media)


ODD_NAMES = [
    ("Dr. Müller, Zahnarzt (Notfall)", "Termin um 8"),
    ('5" pipe guy', 'the 3" ones are "fine"'),
    ('5" pipe guy', "ok"),
    ("Jim “The Hammer” Smith", "he said “no”"),
    ("~ 🌈 Zoë 🌈", "hello"),
    ("+49 170 1234567", "who is this"),
    ("Re:Zero fan", "hi: there"),
    ("Anna", "hi"),
    ("Anna from the gym", "hi from me too"),
    ("Anna Maria van der Berg zu Linden", "hi all"),
    ("End-to-End Solutions", "invoice attached"),
    ("D'Arcy \"D", "hi"),
    ("Mum & Dad", 'come "home": now'),
    ("You", "hm"),
]


def test_an_odd_name_is_a_name(tmp_path: Path) -> None:
    drafts, report = imported(tmp_path, "".join(f"25/12/2023, 22:35 - {name}: {words}\n" for name, words in ODD_NAMES))
    assert [(draft.speaker, draft.text) for draft in drafts] == ODD_NAMES
    assert report.system_lines == 0


def test_a_guess_is_listed(tmp_path: Path) -> None:
    lines = ["Anna: hi", "Anna changed the group description: meet at 8", "Plumber that fixed the kitchen sink: I come at 9"]
    drafts, report = imported(tmp_path, "".join(f"25/12/2023, 22:35 - {line}\n" for line in lines))
    assert [draft.text for draft in drafts] == ["hi", "I come at 9"]
    place = "WhatsApp Chat with Ann.txt"
    assert report.not_understood == [
        (f"{place}:2", "taken for a notice of WhatsApp, not for words of somebody", lines[1]),
        (f"{place}:3", "taken for words of somebody of this long name; it may be a notice of WhatsApp", lines[2]),
    ]


def test_one_who_speaks_again_is_no_notice(tmp_path: Path) -> None:
    lines = ["Anna: hi", "Anna whom we met in Rome: hi", "Anna whom we met in Rome: ho"]
    drafts, report = imported(tmp_path, "".join(f"25/12/2023, 22:35 - {line}\n" for line in lines))
    assert [draft.text for draft in drafts] == ["hi", "hi", "ho"]
    assert report.not_understood == []

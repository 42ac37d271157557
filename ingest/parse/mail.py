"""E-mails (.eml, .msg): who wrote what to whom and when, the text, and what is attached."""

import email
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from io import BytesIO
from typing import Any

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.decode import decode
from zhiji.ingest.extras import needs
from zhiji.ingest.parse.embedded import add_file, add_html, add_text
from zhiji.ingest.report import ParseFailed

_MAX_ATTACHMENTS = 100


@dataclass(slots=True)
class _Mail:
    """An e-mail, whatever kind of file it was in."""

    subject: str = ""
    heads: list[tuple[str, str]] = field(default_factory=list)
    html: str = ""
    text: str = ""
    attachments: list[tuple[str, bytes]] = field(default_factory=list)


class EmlParser:
    """Reads e-mails as servers keep them."""

    suffixes: tuple[str, ...] = (".eml",)
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """The message and its attachments.

        Raises:
            ParseFailed: it has no header of an e-mail.
        """
        message = email.message_from_bytes(data, policy=policy.default)
        if not isinstance(message, EmailMessage) or not message.keys():
            raise ParseFailed("not an e-mail: it has no header")
        return _written(_from_message(message), source)


class MsgParser:
    """Reads e-mails as Outlook keeps them."""

    suffixes: tuple[str, ...] = (".msg",)
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The message and its attachments.

        Raises:
            MissingExtra: `zhiji[documents]` is not installed.
            ParseFailed: the file is damaged.
        """
        with needs("documents"):
            from oxmsg import Message
        try:
            mail = _from_outlook(Message.load(BytesIO(data)))
        except Exception as broken:  # the reader raises whatever the bytes of a damaged file lead to
            raise ParseFailed("the Outlook message is damaged or incomplete") from broken
        return _written(mail, source)


def _written(mail: _Mail, source: str) -> Document:
    build = DocumentBuilder()
    build.heading(mail.subject, 1)
    build.add("paragraph", "\n".join(f"{name}: {value}" for name, value in mail.heads if value))
    if mail.html:
        add_html(build, mail.html)
    else:
        add_text(build, mail.text)
    for name, data in mail.attachments[:_MAX_ATTACHMENTS]:
        add_file(build, data, name, level=2)
    if len(mail.attachments) > _MAX_ATTACHMENTS:
        build.notes.append(f"{len(mail.attachments) - _MAX_ATTACHMENTS} attachments were left out")
    return build.document(source, mail.subject)


def _from_message(message: EmailMessage) -> _Mail:
    mail = _Mail(subject=_head(message, "Subject"))
    mail.heads = [(name, _head(message, name)) for name in ("From", "To", "Cc")] + [("Date", _date(message))]
    body = message.get_body(preferencelist=("html", "plain"))
    if body is not None and body.get_content_maintype() == "text":
        text = _text_of(body)
        mail.html, mail.text = (text, "") if body.get_content_subtype() == "html" else ("", text)
    for part in _attached(message, body):
        kind = part.get_content_subtype()
        if part.get_content_type() == "message/rfc822":
            inner = part.get_content()
            mail.attachments.append((part.get_filename() or "message.eml", inner.as_bytes()))
            continue
        data = part.get_payload(decode=True)
        name = part.get_filename() or f"attachment.{'txt' if kind == 'plain' else kind}"
        if isinstance(data, bytes) and data:
            mail.attachments.append((name, data))
    return mail


def _attached(message: EmailMessage, body: Any) -> Iterator[Any]:
    """All parts that hold something, but for the text shown and for other versions of it."""
    waiting: list[tuple[Any, bool]] = [(message, False)]
    while waiting:
        part, is_version = waiting.pop(0)
        if part.get_content_maintype() == "multipart":
            versions = part.get_content_subtype() == "alternative"
            waiting[:0] = [(inner, versions) for inner in part.iter_parts()]
        elif part is not body and not (is_version and part.get_content_maintype() == "text"):
            yield part


def _head(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, IndexError, AttributeError, UnicodeError):  # a header that breaks the parser's own rules
        return ""


def _date(message: EmailMessage) -> str:
    try:
        return parsedate_to_datetime(_head(message, "Date")).isoformat(" ", "minutes")
    except (ValueError, TypeError, IndexError):
        return _head(message, "Date")


def _text_of(part: Any) -> str:
    """The text of a part; where its charset is stated wrongly, as its bytes say."""
    data = part.get_payload(decode=True) or b""
    try:
        return decode(data, part.get_content_charset() or "").text if data.strip() else ""
    except ParseFailed:
        return str(data.decode("utf-8", "ignore"))


def _from_outlook(message: Any) -> _Mail:
    mail = _Mail(subject=message.subject or "")
    people = ", ".join(f"{one.name} <{one.email_address}>" for one in message.recipients)
    sent = message.sent_date
    mail.heads = [("From", message.sender or ""), ("To", people)]
    mail.heads.append(("Date", sent.isoformat(" ", "minutes") if sent else ""))
    mail.html, mail.text = message.html_body or "", message.body or ""
    attachments: Sequence[Any] = message.attachments
    mail.attachments = [(one.file_name or "attachment", bytes(one.file_bytes or b"")) for one in attachments]
    return mail

"""Subtitles and transcripts (.srt, .vtt): what was said, as paragraphs that name their time."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.decode import decode
from zhiji.ingest.layout import joined
from zhiji.ingest.report import ParseFailed

_CUE = re.compile(
    r"^\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})[^\n]*$",
    re.MULTILINE,
)
_VOICE = re.compile(r"<v(?:\.[\w.-]+)?\s+([^>]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>|\{\\[^}]*\}|<\d[^>]*>")
_STOP = re.compile(r"[。！？!?.…]['\"”’」』]*$")
_SPEAKER = re.compile(r"^[^\s：:，。,.]{1,20}[：:]")
_PAUSE = 3.0  # seconds of silence that end a paragraph
_LONG = 300  # characters after which the next sentence begins a paragraph
_TOO_LONG = 600  # characters after which any cue does: some transcripts have no full stops


@dataclass(slots=True)
class _Cue:
    start: float
    end: float
    text: str


class SubtitleParser:
    """Joins cues to paragraphs: a sentence often spans several."""

    suffixes: tuple[str, ...] = (".srt", ".vtt")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """What was said; each paragraph begins with its time.

        Raises:
            ParseFailed: there are no times in it.
        """
        decoded = decode(data)
        build = DocumentBuilder()
        said: list[_Cue] = []
        cues = list(_cues(decoded.text))
        if not cues:
            raise ParseFailed("not a subtitle file: no times in it")
        for cue in cues:
            if said and _begins(said, cue):
                _write(build, said)
                said = []
            said.append(cue)
        _write(build, said)
        return build.document(source, encoding=decoded.encoding, notes=[decoded.note])


def _cues(text: str) -> Iterator[_Cue]:
    found = list(_CUE.finditer(text))
    for number, match in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        lines = text[match.end() : end].strip("\n").split("\n")
        last = next((n for n, line in enumerate(lines) if not line.strip()), len(lines))
        said = ""
        for line in lines[:last]:
            line = _VOICE.sub(lambda voice: f"{voice[1].strip()}：", line)
            said = joined(said, html.unescape(_TAG.sub("", line)).strip())
        yield _Cue(_seconds(match.groups()[:4]), _seconds(match.groups()[4:]), said)


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, rest = (int(part or 0) for part in parts)
    return hours * 3600 + minutes * 60 + seconds + rest / float(10 ** len(parts[3] or "0"))


def _begins(said: list[_Cue], cue: _Cue) -> bool:
    """Whether a cue begins a paragraph."""
    length = sum(len(one.text) for one in said)
    ended = _STOP.search(said[-1].text) is not None
    paused = cue.start - said[-1].end >= _PAUSE
    speaks = _SPEAKER.match(cue.text) is not None
    return speaks or (paused and (ended or length > _LONG)) or (ended and length > _LONG) or length > _TOO_LONG


def _write(build: DocumentBuilder, said: list[_Cue]) -> None:
    text = ""
    for cue in said:
        text = joined(text, cue.text)
    minutes, seconds = divmod(int(said[0].start), 60)
    hours, minutes = divmod(minutes, 60)
    build.add("paragraph", f"[{hours:02}:{minutes:02}:{seconds:02}] {text}" if text else "")

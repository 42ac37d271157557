"""Labels of the extractor's training lines: which clause carries which memory."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zhiji.core.text import fold
from zhiji.models.extracting.clauses import Clause
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.frames import played

# A key of the training lines is free text; the first class whose pattern it shows is its canonical one.
_CLASSES = [
    ("diet.allergy", r"allerg|intoleran|lactose"),
    ("reply.format", r"address_style|^assistant|repl[yi]|respon|answer|explan|tone|format|emoji|code_style|comment_lang|naming|spelling|units?$|currency|citation|writing|no_lecture|no_mention|teach|study_help|translat|report_|recipe_rule|advice|voice_message|communication"),
    ("identity.nickname", r"form_of_address|call_me|salutation"),
    ("reminder", r"remind|supervis|notif"),
    ("contact.channel", r"contact|channel"),
    ("age", r"^(?:age|user_age|birth_year)$"),
    ("birthday", r"^birthday|^birth_date"),
    ("health.medication", r"medic(?!al)|drug|insulin|supplement"),
    ("health.condition", r"health|illness|disease|condition|symptom|injur|surgery|pregnan|eyesight|vision|hearing|blood|insomnia|disab|medical|diabet|asthma|uric|knee|heart|stomach|mobility|motion_sick|handed|dyslex|mental|teeth|glucose|constitution|phobia|fear|liver|gout|dizz"),
    ("diet.restriction", r"vegetarian|vegan|halal|kosher|fasting|^diet$|diet_type|diet_plan|diet_restr|food_dis|food_avoid|spicy|coriander|salt|taboo|ingredient|allium|garlic|onion|meat"),
    ("preference.drink", r"drink|coffee|tea$|^tea|milk|alcohol|beer|wine|sweetness|latte|beverage"),
    ("preference.food", r"food|snack|breakfast|lunch|dinner|fruit|cuisine|taste|meal|cook|eat|flavou?r|noodle|rice$|supper|dessert|durian"),
    ("body", r"height|^weight|shoe_size|clothing_size|body|bmi"),
    ("hometown", r"hometown|origin|birthplace|native_pl"),
    ("home", r"home|hous|flat|apartment|rent|address|floor|living|dorm|property|parking|room|balcony|kitchen|garden|residence|mortgage|city|location|move"),
    ("job.schedule", r"shift|work_sched|work_?hours|commut|overtime|business_hours|days?_off"),
    ("job", r"job|occupation|profession|^role$|career|work|business|shop|team|client|customer|employ|factory|warehouse|office|income|salary|industry|product|company|project|department|duty|responsib"),
    ("education", r"educat|school|grade|major|univers|stud[yi]|degree|exam|course|class|thesis|score|certif|toefl|ielts|college|tutor|homework|subject"),
    ("pets", r"pet|cat(?!e)|dog|bird|hamster|rabbit|goose|turtle|parrot|hen"),
    ("family", r"famil|child|son(?:_|$)|daughter|wife|husband|mother|father|parent|marital|spouse|partner|baby|grand|sister|brother|marri|kid|twin|relationship|household|anniv|wedding|in_law"),
    ("possessions.vehicle", r"car(?:$|_)|vehicle|driv|bike|motor|scooter|licen|transport"),
    ("possessions.device", r"phone|computer|laptop|device|camera|tablet|printer|router|headphone|watch|console|system|appliance|instrument|equipment"),
    ("tools", r"tool|software|editor|program|framework|version|browser|app|ide$|database|platform|python|excel"),
    ("skills", r"skill|language|abilit|experience|english|fluent|swim"),
    ("preference.sport", r"exercis|sport|run|workout|fitness|gym|training|yoga|walk|marathon|climb|cycling"),
    ("preference.media", r"music|film|movie|book|game|singer|read|song|genre|novel|podcast|football|band|opera"),
    ("hobby", r"hobb|interest|craft|paint|photo|flower|fishing|collect|knit|mahjong|dance"),
    ("crops", r"farm|crop|field|orchard|land|irrig|sow|pig|livestock|plant|soil|greenhouse|variety|harvest|fertil|poultry|seed|acre"),
    ("plan.trip", r"trip|travel|flight|holiday|vacation|tour|visa|visit|hotel|seat"),
    ("plan", r"plan|appoint|interview|meeting|event|deadline|due|date|ceremony|booking|party|task|checkup|delivery"),
    ("goal", r"goal|wish|dream|target|aim|saving|decision|hope"),
    ("finance", r"financ|debt|budget|loan|invest|credit|insur|money|tax|pension|fund|price|cost"),
    ("schedule", r"schedul|routine|habit|wake|sleep|availab|free_|time$|busy|weekend|morning|evening"),
    ("preference.style", r"shop|cloth|brand|shoe|colou?r|style|decor|purchase|dislike|like"),
    ("identity", r"name|national|ethnic|zodiac|gender|personal|blood_type|religion|marital|smok"),
]  # fmt: skip
_COMPILED = [(name, re.compile(pattern)) for name, pattern in _CLASSES]
_OF_FAMILY = re.compile(
    r"^(?:mother_in_law|father_in_law|grandmother|grandfather|grandson|granddaughter|mother|father|wife|husband|spouse|partner|son|daughter|child(?:ren)?|baby|sister|brother"
    r"|parents?|youngest_child|eldest_child|second_child|family|user)[_.](?=.)"
)
WINDOW = 4
"""Turns seen before a message."""


@dataclass(frozen=True)
class ClauseLabel:
    """What a clause carries: a memory, the rest of one that its neighbour carries, or nothing."""

    memory: dict[str, Any] | None = None
    continues: bool = False


@dataclass(frozen=True)
class Labelled:
    """A user's message with the label of each clause; lines of one `group` are kept in one fold."""

    id: str
    group: str
    reading: Reading
    clauses: list[ClauseLabel]
    nothing: bool
    turn: int
    line: dict[str, Any]

    @property
    def carried(self) -> list[set[int]]:
        """Which of the message's memories each clause carries a part of, by their place among them."""
        text, told = self.reading.text, [one for one in self.line["memories"] if one["turn"] == self.turn]
        spans = [(text.index(one["quote"]), len(one["quote"])) for one in told]
        return [
            {at for at, (start, length) in enumerate(spans) if start < clause.end and clause.start < start + length}
            for clause in self.reading.clauses
        ]


def lines(path: Path, *, even: bool = False) -> Iterator[dict[str, Any]]:
    """The lines of a file; with `even` those whose id has an even sha256."""
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if not even or int(hashlib.sha256(one["id"].encode()).hexdigest(), 16) % 2 == 0:
            yield one


def key_class(key: str) -> str:
    """The canonical class of a free key.

    >>> key_class("mother_allergy"), key_class("work.location"), key_class("xyz")
    ('diet.allergy', 'home', 'other')
    """
    flat = key.replace(".", "_").lower()
    for text in (_OF_FAMILY.sub("", flat), flat):
        for name, pattern in _COMPILED:
            if pattern.search(text):
                return name
    return "other"


def labelled(found: Iterable[dict[str, Any]]) -> list[Labelled]:
    """The user's messages of the lines, each with the labels of its clauses."""
    return [one for line in found for one in _messages(line)]


def _messages(line: dict[str, Any]) -> Iterator[Labelled]:
    turns = line["turns"]
    why = line.get("why", "").split(":")[0]
    group = line["id"][:4] + why if why.startswith("pair") else line["id"]
    for at, turn in enumerate(turns):
        if turn["role"] == "user":
            asked = turns[at - 1]["text"][-160:] if at and turns[at - 1]["role"] == "assistant" else ""
            before = [t["text"] for t in turns[max(0, at - WINDOW) : at] if t["role"] == "user"]
            reading = Reading(turn["text"], asked, before[-1] if before else "", played([*before, turn["text"]]))
            memories = [memory for memory in line["memories"] if memory["turn"] == at]
            yield Labelled(line["id"], group, reading, _labels(reading, memories), not line["memories"], at, line)


def _labels(reading: Reading, memories: Sequence[dict[str, Any]]) -> list[ClauseLabel]:
    labels = [ClauseLabel() for _ in reading.clauses]
    for memory in memories:
        start = reading.text.index(memory["quote"])
        end = start + len(memory["quote"])
        touched = [at for at, clause in enumerate(reading.clauses) if clause.start < end and start < clause.end]
        touched.sort(key=lambda at: -_carries(reading.clauses[at], memory["value"], start, end))
        for rank, at in enumerate(touched):
            if rank == 0 and labels[at].memory is None:
                labels[at] = ClauseLabel(memory)
            elif labels[at].memory is None:
                labels[at] = ClauseLabel(None, True)
    return labels


def _carries(clause: Clause, value: str, start: int, end: int) -> float:
    """How much of a memory's value a clause holds; the overlap with its quote breaks ties."""
    inside = min(clause.end, end) - max(clause.start, start)
    return _in_order(fold(value), fold(clause.text)) / max(1, len(value)) + 0.01 * inside


def _in_order(wanted: str, text: str) -> int:
    row = [0] * (len(text) + 1)
    for sign in wanted:
        new = [0]
        for at, other in enumerate(text):
            new.append(row[at] + 1 if sign == other else max(row[at + 1], new[-1]))
        row = new
    return row[-1]

"""What a short answer means: the value comes from the question the assistant had just asked, the quote from the user."""

import re
from dataclasses import dataclass

from zhiji.models.extracting.wording import user_word

_ASKED = re.compile(r"[^。！!？?.\n]*[?？]")
_YES = re.compile(
    r"^(?:对+|對+|是+|是的|是啊|嗯+|恩+|好(?!像|几)|没错|沒錯|当然|會|会|有(?!点)|行|可以|就是(?:这个|它|那个)?|那个就行|那個就行|就它|就这个?|猜[中对]了?|查过)(?:的|啊|呀|呢|哈|了|滴|对)*(?:[，,。！!\s]|$)"
    r"|^(?:yes|yep|yeah|yup|right|correct|exactly|sure|that's right|that one|aye|i do|i am|same here)\b",
    re.IGNORECASE,
)
_ME_TOO = re.compile(r"^(?:我也是|我也一样|我也(?:喜欢|爱|这样)|同|me too|same here|so do i|so am i)", re.IGNORECASE)
_NO = re.compile(
    r"^(?:不(?:是|用|要|会|吃|喝|需要)?|没有?|沒有?|从不|别)(?:的|啊|呀|呢|哈|了)*(?:[，,。！!\s]|$)|^(?:no|nope|nah|never|not really|neither)\b",
    re.IGNORECASE,
)
_OPTIONS_ZH = re.compile(r"[^，,。？?！!]{1,16}(?:[、，][^，,。？?]{1,10})*还是[^，,。？?]{1,12}")
_ASKING_ZH = re.compile(r"^.*(?:喜欢|是|要|用|吃|喝|种|养|怕|选|坐)")
_POINTED = re.compile(r"^(?:第)?(?P<place>[前后一二三])(?:者|个|面那个|面的)")
_WH_ZH = re.compile(
    r"(?:在|是)?(?:哪个城市|哪座城市|哪个国家|哪里|哪儿|哪个?|几岁|多大(?:了|年纪)?|多少(?:钱|斤|亩|岁)?|几(?:口人|个人|点|年级|个|只|亩)|什么(?:时候|品种|牌子|型号|口味|名字|地方)?|啥|谁|怎么称呼|多高|多重|多久|多长)"
)
_ASK_TAIL = re.compile(r"(?:了|呢|啊|呀|吗|嘛|吧|么|哈|对吧|对吗|是吗|是吧|没有|不)*[?？\s]*$")
_OFFER = re.compile(r"^(?:需要|要不要|要|可以|那)?(?:我|帮[您你])?(?:帮[您你])?(?:记住|记下|记一下|记录|记得)(?:一下)?")
_POLITE = re.compile(r"^(?:好的|好呀|好|明白|可以的?|没问题|当然|请问|方便说一?下|顺便问一?下|那|对了|嗯)[，,：:\s]*")


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and an answer as one sentence about the user."""

    content: str
    value: str
    negative: bool = False


def questions(asked: str) -> list[str]:
    """The questions in the assistant's words, in order."""
    return [match.group().strip() for match in _ASKED.finditer(asked)]


def answered(question: str, answer: str, *, han: bool) -> Answer:
    """What an answer to a question says of the user; with no fitting form, question and answer are told as they were.

    >>> answered("您在哪个城市？", "杭州", han=True).content
    '用户在杭州'
    """
    bare = answer.strip(" ，,。.!！~～")
    if han:
        return _chinese(question, bare)
    if _NO.match(bare) and _is_yes_no_en(question):
        return Answer(f"Asked “{question}”, the user answered “{bare}”", _topic_en(question), True)
    value = _topic_en(question) if _YES.match(bare) and _is_yes_no_en(question) else bare
    return Answer(f"Asked “{question}”, the user answered “{bare}”", value)


def is_yes(answer: str) -> bool:
    """Whether an answer only says yes, so that its value is in the question."""
    return bool(_YES.match(answer.strip()))


def is_too(answer: str) -> bool:
    """Whether an answer says that the same holds of the user ("我也是")."""
    return bool(_ME_TOO.match(answer.strip()))


def is_no(answer: str) -> bool:
    """Whether an answer says no."""
    return bool(_NO.match(answer.strip()))


def _chinese(question: str, answer: str) -> Answer:
    user = user_word(question + answer)
    stated = _OFFER.sub("", _POLITE.sub("", _ASK_TAIL.sub("", question.strip())))
    for word in ("您的", "你的"):
        stated = stated.replace(word, f"{user}的")
    for word in ("您", "你"):
        stated = stated.replace(word, user)
    chosen = _chosen(question, answer)
    if chosen:
        return Answer(f"助手问“{question}”，{user}选了{chosen}（“{answer}”）", chosen)
    if is_yes(answer) and not _WH_ZH.search(question):
        claim = stated if user in stated else f"{user}确认：{stated}"
        return Answer(
            re.sub(r"(?:是不是|有没有|会不会|能不能)", lambda m: m.group()[0], claim),
            stated.replace(user, "").strip("，, "),
        )
    if is_no(answer) and not _WH_ZH.search(question):
        return Answer(f"助手问“{question}”，{user}说“{answer}”", stated.replace(user, "").strip("，, "), True)
    filled = _WH_ZH.subn(lambda m: (m.group()[0] if m.group()[0] in "在是" else "") + answer, stated, count=1)
    if filled[1] and len(stated) <= 24 and "，" not in stated:
        return Answer(filled[0] if user in filled[0] else f"{user}的{filled[0]}", answer)
    return Answer(f"助手问“{question}”，{user}答“{answer}”", answer)


def _chosen(question: str, answer: str) -> str:
    """Which of the options the answer points at ("第二个", "后者"), or ""."""
    match = _OPTIONS_ZH.search(question)
    if not match:
        return ""
    options = re.split(r"[、，]|还是|或者?", match.group())
    options[0] = _ASKING_ZH.sub("", options[0]) or options[0]
    places = {"前": 0, "后": len(options) - 1, "一": 0, "二": 1, "三": 2}
    pointed = _POINTED.match(answer)
    if not pointed:
        return ""
    place = places[pointed["place"]]
    return _ASK_TAIL.sub("", options[place]) if place < len(options) else ""


def _is_yes_no_en(question: str) -> bool:
    return (
        re.match(
            r"^\W*(?:\w+, )?(?:are|is|do|does|did|have|has|was|were|can|will|should|would|so you)\b",
            question,
            re.IGNORECASE,
        )
        is not None
    )


def _topic_en(question: str) -> str:
    return re.sub(
        r"^\W*(?:\w+, )?(?:(?:are|is|do|does|did|have|has|was|were|can|will|should|would)\s+(?:you|your|it|they)?)\s*",
        "",
        question,
        flags=re.IGNORECASE,
    ).rstrip("?？ ")

"""How a user wants one answer written: shorter, longer, as a list, in another language."""

import re
from dataclasses import dataclass
from typing import Literal

from zhiji.core.text import Language
from zhiji.models.question_words import content_terms

Length = Literal["one", "short", "long"]

_LENGTHS: dict[Length, re.Pattern[str]] = {
    "one": re.compile(
        r"(?:请|能不能|能|可以|帮我)?(?:再)?(?:只)?用?一(?:句|两句|小段)话(?:来)?(?:总结|概括|说|讲|回答|说明|介绍|解释)?(?:一下|清楚)?"
        r"|\b(?:in|as|to|into) (?:just |only )?(?:one|a single|a) (?:short )?(?:sentence|line)\b|\bone[- ](?:sentence|liner?)\b|\btl;?dr\b",
        re.IGNORECASE,
    ),
    "short": re.compile(
        r"(?:请|尽量|再|更|这次|这回|说得?|讲得?|写得?|回答得?)*(?:简短|简单|简要|简洁|精简|扼要|短)(?:一?[点些]|地?(?=[说讲介解回概总]))(?:[说讲]|回答|说明|介绍|概括|总结)?"
        r"|(?:请|再)?(?:简要|简短|简单|简略)(?:地)?(?:说说|讲讲|说一下|讲一下|介绍|概括|总结|说明|回答)(?:一下)?"
        r"|(?:请|再|更|能不能|可以|能)*(?:说|讲|写|解释|回答)(?:得|的)?(?:再|更)?(?:通俗|直白|明白|浅显|口语化?|容易懂|好懂)(?:一?[点些])?|(?:更)?通俗(?:一?[点些]|易懂)"
        r"|缩短|压缩|精简|长话短说|(?:不要|别)(?:太长|(?:太|那么|这么)?啰嗦|写太多|说太多)|(?:只|就)?[说讲]重点|说人话|概括一下|总结一下|(?:控制|限制)在.{1,6}字(?:以?内)?|太长了"
        r"|\b(?:keep (?:it|this) (?:short|brief)|(?:be |more )?(?:brief|concise)(?:ly)?|in (?:short|brief)|short(?:er|en)|summari[sz]e|"
        r"condense|too long|in a nutshell|(?:fewer|less) words|trim|simpler(?! (?:way|option|model|one))|simplify|more simply|simply put|"
        r"(?:explain|put|say) (?:it|this|that) (?:simply|in plain \w+)|in (?:plain|simpler?|easy) (?:words|terms|english|language))\b",
        re.IGNORECASE,
    ),
    "long": re.compile(
        r"(?:请|尽量|再|更|这次|这回|能不能|可以|能|说得?|讲得?|写得?|回答得?|要)*(?:详细|具体|详尽|细致|细|全面|完整|长)(?:一?[点些](?!儿?吗?(?:什么|哪))|地?(?=[说讲介解回描]))"
        r"(?:[说讲]{1,2}|回答|说明|介绍|解释|描述)?(?:一下)?"
        r"|(?:再)?展开(?:来)?(?:说说|讲讲|说一下|说|讲|一下)|说详细|讲详细|详细说|多说(?:一?[点些]|几句)|(?:继续|接着|往下)(?:说|讲)|^继续$|说(?:得)?清楚(?:一?[点些])"
        r"|\b(?:in (?:more |great(?:er)? |full |some )?detail|more detail(?:s|ed)?|with (?:more )?details?|elaborate(?: on)?|expand on|"
        r"at length|tell me more|say more|longer|go deeper|be (?:more )?thorough|go on|full explanation)\b",
        re.IGNORECASE,
    ),
}
_LIST = re.compile(
    # Without a model, the nearest thing to a table of one answer is its points one below the other.
    r"(?:用|以|列成?|做成?|整理成|换成|改成|画成?)(?:一?[个张])?表格?(?![演面示现达])(?:的?形式|的方式)?(?:列出|展示|表示|说明|呈现)?(?:来|一下)?|表格形式|"
    r"\b(?:as|in|into|with) (?:a )?(?:table|tabular form)\b|\btabulate\b|"
    r"分点|列点|分条|逐条|分步骤?|(?:用|以|列成|做成|整理成)?(?:列表|清单)(?:的?形式|列出)?|列出来|一条条|"
    r"\b(?:as a |in a )?(?:bullet(?:ed)?(?: points?| list)?|bullets|list form|numbered list)\b|\bas a list\b|\bstep by step\b",
    re.IGNORECASE,
)
_TO_ENGLISH = re.compile(
    r"(?:请|都)?(?:用|以|改成|换成|说)(?:英文|英语)(?:来)?(?:回答|回复|说|写|讲|介绍|解释)?|\bin english\b",
    re.IGNORECASE,
)
_TO_CHINESE = re.compile(
    r"(?:请|都)?(?:用|以|改成|换成|说)(?:中文|汉语|普通话)(?:来)?(?:回答|回复|说|写|讲|介绍|解释)?|\bin (?:chinese|mandarin)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"换(?:一?[个种])?(?:说法|方式|角度)(?:[说讲])?(?:一[遍次下])?|\b(?:rephrase|put (?:it|that) (?:another way|differently)|in other words)\b|"
    r"(?:再|重新?)(?:说|讲|回答|写|来)(?:一[遍次]|一下)|重复一[遍次]|\b(?:repeat|say (?:that|it) again|once more|again)\b",
    re.IGNORECASE,
)

# What an answer of this conversation may be called; a request about nothing else refers to the last one.
_OBJECT = (
    r"(?:方案|回答|答案|内容|总结|建议|说明|计划|清单|文案|文章|草稿|版本|结果|列表|回复|那段|这段|段话|上文|上面|前面|刚才|刚刚|上一[个条段]|生成|写)|"
    r"\b(?:answer|plan|summary|text|reply|list|draft|version|response|above|last|previous|explanation|what you (?:just )?(?:said|wrote))\b"
)
_OBJECTS = re.compile(_OBJECT, re.IGNORECASE)
_FILLER = re.compile(
    r"把|将|给我|帮我|一下|一点|一些|改|变|弄|再|请|它|这个|那个|这|那|你的|我想要|我要|可以|能|吗|吧|呢|的|得|太|还是|回答|说|讲|些|点|来|成|为|遍|次|这次|这回|希望|麻烦|"
    r"\b(?:make|it|that|this|please|can|could|would|you|your|me|the|a|bit|little|now|just|more|much|give|be|to|i|want|need|so|and|up|down|of|in|us|put|turn|rewrite|write|into|them|one|for)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Style:
    """What is asked of the form of an answer; `phrase` holds the user's words for it."""

    length: Length | None = None
    as_list: bool = False
    lang: Language | None = None
    again: bool = False
    phrase: str = ""

    def __bool__(self) -> bool:
        """Whether anything is asked of the form."""
        return bool(self.phrase)


def style_of(text: str) -> Style:
    """What a text asks of the form of the answer.

    >>> style_of("怎么退款？请详细一点").length
    'long'
    """
    found = {name: pattern.search(text) for name, pattern in _LENGTHS.items()}
    length = next((name for name in _LENGTHS if found[name]), None)
    others = {
        "list": _LIST.search(text),
        "en": _TO_ENGLISH.search(text),
        "zh": _TO_CHINESE.search(text),
        "again": _AGAIN.search(text),
    }
    lang: Language | None = "en" if others["en"] else "zh" if others["zh"] else None
    matches = [match for match in [found[length] if length else None, *others.values()] if match]
    phrase = "，".join(dict.fromkeys(match.group().strip() for match in matches))
    return Style(length, bool(others["list"]), lang, bool(others["again"]), phrase)


def without_style(text: str) -> str:
    """A question without a clause of its own that only asks for a form ("怎么退款？请详细一点" keeps "怎么退款？").

    Such a clause would only distract the search; one grown into the question ("详细介绍会员等级") stays.
    """
    clauses = re.findall(r"[^，,。；;：:？?！!\n]+[，,。；;：:？?！!\n]*", text)
    kept = [clause for clause in clauses if not (style_of(clause) and about_last_answer(clause))]
    return "".join(kept).strip().rstrip("，,；;") if kept and len(kept) < len(clauses) else text


def about_last_answer(text: str) -> bool:
    """Whether a text only asks for the last answer in another form ("把它缩短", "make that a list").

    >>> about_last_answer("把刚才那个方案缩短"), about_last_answer("怎么退款？请详细一点")
    (True, False)
    """
    style = style_of(text)
    if not style:
        return False
    rest = text
    for pattern in (*_LENGTHS.values(), _LIST, _TO_ENGLISH, _TO_CHINESE, _AGAIN):
        rest = pattern.sub(" ", rest)
    rest = _FILLER.sub(" ", _OBJECTS.sub(" ", rest))
    return not any(mark.isalnum() for mark in rest) or not content_terms(rest)


def session_object(text: str) -> re.Match[str] | None:
    """The words that point at something made in this conversation ("刚才那个方案", "the plan above")."""
    return _POINTER.search(text)


_POINTER = re.compile(
    r"(?:你)?(?:刚才|刚刚|上面|前面|之前|上一个|上一条)(?:你)?(?:说|写|给|生成|提到|列)?(?:出来)?的?(?:那个|这个|那份|这份|那段|那条|的)?"
    r"(?:方案|回答|答案|内容|总结|建议|说明|计划|清单|文案|文章|草稿|版本|结果|列表|回复)"
    r"|\b(?:the|that|your) (?:last |previous |above )?(?:plan|answer|summary|draft|reply|list|proposal|suggestion)(?: above| you (?:just )?(?:gave|made|wrote))?\b",
    re.IGNORECASE,
)

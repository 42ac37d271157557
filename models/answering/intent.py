"""What a message wants: an answer, advice, something about oneself, or just company."""

import re
from typing import Literal

from zhiji.core.text import fold, has_cjk
from zhiji.models.rewriting.signals import overview, recalls
from zhiji.models.rewriting.style import about_last_answer
from zhiji.models.rewriting.tagging import tag

Intent = Literal[
    "greeting",
    "thanks",
    "farewell",
    "chat",
    "statement",
    "last_answer",
    "recall",
    "overview",
    "self",
    "advice",
    "question",
]

_GREETING = re.compile(
    r"^(?:你好|您好|哈喽|嗨|早|早上好|上午好|中午好|下午好|晚上好|在吗|在不在|有人吗|hi|hello|hey|good (?:morning|afternoon|evening)|yo)(?:[呀啊哦么吗 ,，]*(?:知己|there|zhiji|助手)?)$"
)
_THANKS = re.compile(
    r"^(?:好的?[,，\s]*)?(?:非常|太|十分)?(?:谢谢|多谢|感谢|辛苦了?|thanks?|thank you|thx|cheers)(?:[你您了啦啊哦呀]|so much|very much|a lot|[ ,，]|that was helpful|that helps|多)*$"
)
_FAREWELL = re.compile(
    r"^(?:再见|拜拜|晚安|回头见|下次见|bye(?:[ -]?bye)?|goodbye|good night|see you(?: later)?)[呀啊啦哦 ]*$"
)
_IDENTITY = re.compile(
    r"^(?:请问)?(?:你是谁|你叫什么(?:名字)?|你是什么|你能(?:做|干|帮我做)(?:什么|些什么|啥)|你会(?:做)?什么|who are you|what are you|what can you do|what is your name|what's your name)$"
)
_ASKS = re.compile(
    r"[?？]|吗(?:$|[,，。!！~ ])|呢$|么$|什么|怎么|怎样|如何|为什么|为何|为啥|咋|哪|几(?![乎率何许近])|多少|多久|多大|多长|多远|多高|谁|啥|是不是|能不能|可不可以|要不要|有没有|会不会|是否|好不好|行不行"
    r"|^(?:what|how|why|when|where|which|who|whose|can|could|would|should|is|are|am|do|does|did|will|may|has|have|was|were)\b|\b(?:tell me|explain|show me|do you know|i(?: would|'d) like to know|i want to know)\b"
)
_REQUEST = re.compile(
    r"^(?:请|麻烦|那就?|再|能|可以|可否)*(?:帮我?|给我|替我|推荐|查|找|搜|写|列|算|安排|介绍|讲讲|说说|讲一下|说一下|解释|告诉|整理|规划|订|预订|提醒|建议|设计|制定|对比|比较|翻译|总结|生成)"
    r"|推荐|告诉我|列出|输出|显示|帮我|帮忙|给我(?!的|家)|替我|有什么建议|求推荐|来[个点份一]"
    r"|^(?:please |can you |could you |would you )*(?:recommend|suggest|find|plan|arrange|schedule|help|give|list|compare|write|draft|book|check|look up|describe|summari[sz]e|translate|remind|set up)\b|\b(?:recommend|suggest)\b"
)
_ADVICE = re.compile(
    r"推荐|建议|安排|规划|适合我|送.{0,4}什么(?:好|合适)|(?:吃|喝|买|选|去|穿|玩|看)(?:点|些)?(?:什么|啥|哪[个家里儿])(?:好|合适)?|(?:吃|喝|买|选|玩|送).{0,6}(?:比较好|合适|更好)|该(?:吃|喝|买|选|穿|去)|帮我(?:选|挑|订|找|想)|制定|来[个点份一].{0,6}(?:菜单|计划|食谱)"
    r"|\b(?:recommend|suggest|plan|arrange|schedule|advice|advise|ideas? for|what should i (?:eat|drink|buy|wear|order|get|do|choose|cook)|where should i (?:eat|go)|help me (?:choose|find|pick|plan)|book)\b"
)
_WANTS_ADVICE = re.compile(r"推荐|建议|该|适合|合适|好[？?]?$|recommend|suggest|should")
_ONESELF = re.compile(r"我(?!们(?:公司|单位))|\b(?:i|my|me|mine|myself|i'm|i've)\b")
_OF_ONESELF = re.compile(
    r"^(?:请问|那|你知道|你还?记得|还记得|说说|告诉我|话说|对了|你说|,|，)*我(?:的)?(?!(?:能|可以|要|想|该|应该|怎么|如何|需要|可不可以|能不能|忘|点|按|打开|在哪(?:里|儿)?(?:可以|能|查|看|改|设|下载|领|办)))"
    r".{0,12}?(?:什么|哪|谁|几|多少|多大|多高|多重|吗|没有?|啥)"
    r"|\b(?:what|which|where|who|when|how (?:old|tall|many))\b.{0,30}?\b(?:do|did|am|was|have|is|are|'s) (?:i\b|my\b)(?! (?:need|have to|get to|return|cancel|apply|order|account))"
    r"|^(?:do|did|am|was|have) i\b(?! (?:need|have to|get|qualify|pay))|\bmy (?:name|job|city|birthday|age|hometown|dog|cat|pet|favou?rite|diet|allerg\w+|wife|husband|daughter|son)\b.*\?"
)
_TASK = re.compile(
    r"怎么|如何|怎样|步骤|流程|申请|办理|多久|期限|规定|政策|故障|报错|忘记|\bhow (?:do|can|to|long|soon)\b|policy|procedure|error|deadline"
)


def intent_of(question: str, has_last_answer: bool = False) -> Intent:
    """What a message wants.

    >>> [intent_of(text) for text in ("你好", "我对花生过敏", "我平时喝什么", "推荐个零食", "怎么退款")]
    ['greeting', 'statement', 'self', 'advice', 'question']
    """
    text = fold(question).strip().strip("。.!！~～ 、,，")
    bare = text.rstrip("?？ ")
    for small, pattern in _SMALL.items():
        if pattern.match(bare):
            return small
    if has_last_answer and about_last_answer(question):
        return "last_answer"
    if overview(question):
        return "overview"
    if not asks(question):
        return "statement" if _ONESELF.search(text) or _STANDING.match(text) else "chat"
    if recalls(question):
        return "recall"
    if _OF_ONESELF.search(text) and not _TASK.search(text) and not _WANTS_ADVICE.search(text):
        return "self"
    if _ADVICE.search(text) and not _TASK.search(text):
        return "advice"
    return "question"


_STANDING = re.compile(
    r"^(?:请)?(?:记住|记一下|记下|以后|今后|从现在起|每次|不要|别|忘掉|忘了|删掉|remember|from now on|always|never|forget|note that|please (?:remember|always|don't))"
    r"|.*(?:以后|今后|往后|从现在起)(?:都|一律|统一|全部)|.*\b(?:from now on|going forward)$"
)
_FORGETS = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:忘掉|忘了).{0,4}我(?!.*(?:怎么|如何|吗$|[?？]))"
    r"|^(?:please )?forget (?:that |what |where |how |about )?(?:i|my)\b(?!.*\?)"
)
"""What is to be forgotten may be told as a question ("忘掉我住在哪里")."""
_WONDERS = re.compile(r"[?？]|吗$|怎么|如何|为什么|哪|多少|多久|什么时候|能不能|可不可以|几[天个次点号年月]")
_CHATTY = re.compile(
    r"[了吧啊呀哈嘛哦~～！!]$|^(?:嗯|好|是的|对|行|不|没|哈|唉|哎|哇|ok|okay|yes|yeah|no|nope|sure|great|cool|nice|wow|lol|haha)\b|^(?:嗯|好|哈|唉|哎|哇)"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|'s|'re|likes?|loves?|lives?|works?|wants?|goes|went|said|says)\b|\w's\b"
)
_SMALL: dict[Intent, re.Pattern[str]] = {
    "greeting": _GREETING,
    "thanks": _THANKS,
    "farewell": _FAREWELL,
}


def asks(question: str) -> bool:
    """Whether a message asks or requests something, so that finding nothing means "I don't know".

    >>> asks("怎么退款"), asks("我对花生过敏"), asks("你好")
    (True, False, False)
    """
    text = fold(question).strip().strip("。.!！~～ 、,，")
    if is_small_talk(question) or about_the_assistant(question):
        return False
    if _FORGETS.match(text) or (_STANDING.match(text) and not _WONDERS.search(text)):
        return False
    return bool(_ASKS.search(text) or _REQUEST.search(text) or _noun_phrase(text))


def _noun_phrase(text: str) -> bool:
    """Whether the message is just a topic or an order, as typed into a search box ("退货政策", "Report an incident")."""
    if _ONESELF.search(text) or _CHATTY.search(text):
        return False
    kinds = [token.kind for token in tag(text) if token.kind != "."]
    if not has_cjk(text):
        return not _FINITE.search(text) and any(kind in "NPEMG" for kind in kinds)
    return bool(kinds) and kinds[-1] in "NPLEMGV" and not set(kinds) & set("SDYRI")


def is_small_talk(message: str) -> bool:
    """Whether a message only greets, thanks or takes leave."""
    bare = fold(message).strip().strip("。.!！~～ 、,，?？")
    return any(pattern.match(bare) for pattern in _SMALL.values())


def about_the_assistant(question: str) -> bool:
    """Whether the user asks who this is or what it can do."""
    return bool(_IDENTITY.match(fold(question).strip().strip("。.!！?？ ")))

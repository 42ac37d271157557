"""What kind of thing a question asks for, and whether a piece of text could be one."""

import re
from functools import lru_cache

import rjieba

from zhiji.core.text import fold
from zhiji.models.question_words import content_terms

_ASKS = {
    "when": r"什么时候|何时|截止|哪[一]?[年天日]|几[月号点]|哪个月|时间是|日期|\bwhen\b|\b(?:what|which) (?:time|date|day|year)",
    "how_long": r"多久|多长时间|几[天年个小分周]|多少[天年个小分]|期限|时长|how long|how soon|how many (?:days|weeks|months|years|hours)|deadline",
    "how_many": r"多少|几[个台次条家种份人位]|多[大高重远宽深快]|数量|费用|价格|价钱|收费|额度|how (?:much|many|far|big|tall|often|heavy)|cost|price|fee",
    "money": r"多少钱|几[块元]|费用|收费|价格|价钱|手续费|工本费|租金|押金|[罚赔扣补奖](?:贴|助|偿|款|励)?(?:多少|几)|怎么(?:赔|算钱|收)|how much (?:is|are|does|do|for|will)\b|\bcosts?\b|price|\bfees?\b|\bcharge|\bfare",
    "contact": r"电话|号码|邮箱|邮件地址|热线|分机|联系方式|联系谁|找谁|打给|发给谁|phone|number (?:to|do|can|should)|e-?mail|hotline|contact",
    "who": r"谁|哪位|哪个人|什么人|由哪|\bwho(?:m|se)?\b",
    "where": r"哪里|哪儿|何处|何地|在哪|什么地方|地址|[几哪][层楼]|哪个(?:城市|省|国家|地方)|\bwhere\b|address|which (?:city|country)",
    "why": r"为什么|为何|为啥|原因|怎么回事|\bwhy\b|reason|cause",
    "how": r"怎么(?!样|回事)|用什么药|要做什么|该做什么|如何|怎样|步骤|流程|方法|办法|咋|手续|防治|\bhow (?:do|can|to|should|does|is|are)\b|steps?\b|procedure",
    "what": r"是什么|什么是|什么意思|含义|指的?是|定义|啥意思|介绍|what (?:is|are|does .* mean)|meaning|define",
    "which": r"哪些|有什么|什么(?!时候|时间|地方|人|意思)|哪[个种款]|几种|包括|\bwhich\b|what (?:kinds?|types?|sorts?|options?|are|levels?|perks?|benefits?|colou?rs?)|\blist\b",
    "whether": r"吗|是否|能不能|可不可以|可以.*[吗？?]|要不要|有没有|是不是|^(?:is|are|can|could|do|does|did|may|will|should|must|am)\b",
    "code": r"代码|命令|配置(?:文件|示例)?|脚本|示例|样例|\bcode\b|command|snippet|config|example|script|yaml|json|sql",
}
_GIVES = {
    "when": r"\d{1,4}\s*[年月日号]|\d{1,2}:\d{2}|周[一二三四五六日末]|星期|每[天周月年]|当[天日]|之前|之后|年底|世纪|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)\b|\b[12]\d{3}\b",
    "how_long": r"[\d一二三四五六七八九十两半]+\s*(?:个)?(?:工作日|小时|分钟|秒|天|日|周|星期|月|年)|\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty)\b(?: (?!an?\b|per\b|each\b|every\b)\w+)? (?:working )?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)",
    "how_many": r"\d|[一二三四五六七八九十百千万两半]+(?:个|台|次|条|元|块|人|位|种|亩|倍|成)|percent|%|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice)\b",
    "money": r"\d\s*(?:元|块|万元)|[£$€¥]\s?\d|\d (?:pounds|dollars|euros|pence)|免费|[百千万]分之|[一两二三四五六七八九]成|[半一两二三四五六七八九]倍|\d\s*(?:%|percent)|个月租金|\bfree\b",
    "contact": r"\d{3,4}-\d{3,}|分机\s*\d+|[\w.-]+@[\w.-]+|(?:电话|热线|拨打)\D{0,4}\d{3,}|\+\d{2} \d|联系|找[^。]{1,6}[，。]|\bcall \S*\d",
    "who": r"由|面向|学生|教职工|会员|本人|管理员|经理|主管|负责|部门|先生|女士|人员|客服|专员|·|manager|team|officer|secretary|\bchair\b|director|staff|members?\b|department|[A-Z][a-z]+ [A-Z][a-z]+",
    "where": r"省|市|县|区|镇|路|街|(?<![单编账型运货])号(?!码|的)|[一二三四五六七八九十\d][楼层]|地址|地点|位于|在.{1,12}(?:内|里|处|中心)|street|road|lane|floor|room|building|located|\bat\b|\bin [A-Z]",
    "why": r"因为|由于|因此|所以|导致|原因|以免|防止|为了|引起|造成|because|due to|since|caused? by|so that|therefore|reason",
    "how": r"请|点击|点|选择|打开|填写|提交|先|然后|再|通过|使用|进入|步骤|喷|施|清|剪|拨打|致电|联系|到[^，。]{1,8}办理|click|open|choose|select|enter|submit|first|then|use|press|sign in|go to|send|call|type|hold|dust|wipe|report",
    "what": r"是|指|称为|意思|属于|用于|\bis\b|\bare\b|means?|refers to",
    "which": r"、|包括|如下|分为|以下|例如|include|such as|following|, .*\band\b",
    "whether": r"可以|不可|不能|能|支持|不支持|需要|无需|不需|必须|允许|禁止|免费|不得|不予|不在|不会|不接|不用|只限|限[一二两三]|须|应当|\b(?:can|cannot|never|may|must|not|no|yes|required|allowed|supported|available|only|free)\b",
    "code": r"^$",
}
KINDS = tuple(_ASKS)
_ASKS_COMPILED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _ASKS.items()}
_GIVES_COMPILED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _GIVES.items()}


def asked_kinds(question: str) -> tuple[str, ...]:
    """What a question asks for; most ask for one or two kinds.

    >>> asked_kinds("怎么退款")
    ('how',)
    """
    return tuple(kind for kind, pattern in _ASKS_COMPILED.items() if pattern.search(question))


# Words of a question that name the kind of answer rather than its subject.
_KIND_WORDS = re.compile(
    r"几.*|多少.*|.*多久|防治|申请|办理|操作|方法|办法|步骤|流程|原因|含义|意思|介绍|处理|规定|要求|many|long|much|mean|kind|type|step"
)


@lru_cache(maxsize=1024)
def naming_terms(question: str) -> tuple[str, ...]:
    """The content terms of a question less those that only name the kind of answer ("几天"), unless nothing is left.

    >>> naming_terms("验收要几天")
    ('验收',)
    """
    found = content_terms(question)
    return tuple(term for term in found if not _KIND_WORDS.fullmatch(term)) or found


@lru_cache(maxsize=1024)
def subject_terms(question: str) -> tuple[str, ...]:
    """The content terms that name a question's subject: whole words, none for the kind of answer.

    >>> subject_terms("年假有几天")
    ('年假',)
    """
    found = content_terms(question)
    words = set(rjieba.cut(fold(question)))
    # Two single characters in a row are mostly a word that the dictionary lacks ("年假").
    whole = [term for term in found if term.isascii() or term in words or (len(term) == 2 and set(term) <= words)]
    subject = [term for term in whole if not _KIND_WORDS.fullmatch(term)] or whole or list(found)
    return tuple(term for term in subject if not any(term != other and term in other for other in subject))


_DECIDES = re.compile(
    r"不可以?|不能|不得|不予|不支持|不允许|不需|无需|不必|不用|不会|不再|不在|不含|不退|不安排|不接|禁止|只能|只限|只(?=[开接覆])|必须|须(?!知)|应当|需(?![求量])|可以|允许|支持|免费|自理|承担|限[一两二三]"
    r"|\b(?:can(?:not|'t)?|may(?: not)?|must(?: not)?|never|not|no|only|need(?:ed|s)?|required|allowed|compulsory|free|refused|returnable|offered)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"延迟|逾期|(?:超过|超出|不足)[^，。]{0,10}的|除外|否则|如需|另[收加付]|\b(?:unless|except|otherwise|beyond|less than)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"[和与及、]|以及|分别|还是|跟.{1,8}(?:区别|不同|比)|\b(?:and|or|both|versus|vs|each|compare)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[，。；;：:！？!?]|[,.](?=\s)")
VALUES = frozenset({"when", "how_long", "how_many", "money", "contact", "who", "where"})
"""Kinds of answer that one clause can hold."""


def decides(text: str) -> bool:
    """Whether a text says that something may, must, or must not be.

    >>> decides("外部U盘不得接入"), decides("本页介绍退货")
    (True, False)
    """
    return bool(_DECIDES.search(text))


def joins(question: str) -> bool:
    """Whether a question asks of several things at once.

    >>> joins("苹果和梨的保质期"), joins("退货期是几天")
    (True, False)
    """
    return bool(_JOINS.search(question))


def is_exception(text: str, question: str) -> bool:
    """Whether a text tells a case apart that the question does not name."""
    return bool(_EXCEPTION.search(text)) and not _EXCEPTION.search(question)


def clauses(text: str) -> list[str]:
    """The clauses of a sentence."""
    return [part for part in _CLAUSE.split(text) if part and part.strip()]


def gives(text: str, kind: str) -> bool:
    """Whether a text holds something of that kind; a span of time also tells when."""
    return bool(_GIVES_COMPILED[kind].search(text)) or (kind == "when" and gives(text, "how_long"))

"""Putting a clause into the third person, in the user's own language and script: one complete sentence."""

import re
import unicodedata
from functools import cache

from opencc import OpenCC

from zhiji.core.text import fold
from zhiji.models.extracting.people import Subject

_FILLER = re.compile(
    r"^(?:(?:而且|但是|但|不过|所以|因为|其实|对了|另外|还有|然后|反正|哦|嗯|啊|唉|哎呀?|诶|欸|嘿|那个|话说|顺便(?:说一?[句下])?|补充一?[句下]|"
    r"我?(?:再|重新)(?:强调|说|讲|重申)(?:一遍|一次|一下)|跟你说[一]?[声下]?[哈啊吧]?|告诉你[哈啊]?|说实话|老实说|请?(?:帮我|给我|麻烦|你)?(?:记住|記住|记一下|記一下|记着|记好|记牢)(?:了|哈|啊|一下)?)[，,：:\s]*)+"
)
_TAIL = re.compile(
    r"(?:[啊呀哈呢啦哦嘛吧哟咯噢滴哇欸诶啵喔唷耶嘞]|哈哈+|嘻嘻|呜呜|[~～。．.!！…]|\s|lol|haha)+$", re.IGNORECASE
)
_KIN_AHEAD = r"(?=[爸妈爹娘爷奶姥哥姐弟妹儿女孙婆公岳媳]|老[公婆伴爸妈]|太太|先生|爱人|对象|孩子|闺女|男朋友|女朋友|男友|女友|父|母|家)"
_PLACE_AHEAD = r"(?=公司|单位|學校|学校|班|组|組|部门|部門|团队|團隊|厂|廠|店|村|小区|小區|仓库|倉庫|宿舍|办公室|镇|县|乡|老板|领导)"
_ZH_STEPS: list[tuple[re.Pattern[str], str]] = [
    (re.compile(r"我[们們]家|咱[们們]?家|俺[们們]?家|我家"), "{u}家"),
    (re.compile(rf"(?:我[们們]|咱[们們]|俺[们們]){_PLACE_AHEAD}"), "{u}的"),
    (re.compile(r"我[们們]|咱[们們]|俺[们們]"), "{u}这边"),
    (re.compile(rf"(?:我|俺|咱)的?{_KIN_AHEAD}"), "{u}的"),
    (re.compile(r"(?<!自)我|俺|本人|咱|偶(?=是|喜|爱|在)"), "{u}"),
    (re.compile(r"你[们們]|您|你|妳"), "助手"),
]
_ASKS_ZH = re.compile(
    r"^(?:以后|以後|今后|今後|往后|往後|从今|從今|从现在|從現在|下次|每次|每天|凡是|一律|[别別](?![人处墅称扭致名家])|不要|不用|请(?!了|假|过|客|教|到)|請(?!了|假)|麻烦|叫我|称呼|喊我|尽量|統一|统一|永远|回复|回覆|回答|说话|给我|用(?=.{1,8}(?:回|答|写|说|标|表示|跟我))|把(?!.{1,8}(?:卖|送|换|丢|忘|给)了)|记得|记住|你)"
)
_SELF_START = re.compile(r"^(?:我|俺|本人|咱)")
_OWN_ACT = re.compile(rf"^我(?![们們家的])(?!{_KIN_AHEAD})")
_EMOJI = re.compile(r"[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]+|\[[\u4e00-\u9fff]{1,3}\]")


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def simplified(text: str) -> str:
    """A text in simplified characters, otherwise unchanged."""
    converted: str = _converter().convert(text)
    return converted


def traditional(text: str) -> bool:
    """Whether a Chinese text is written in traditional characters."""
    return fold(text) != unicodedata.normalize("NFKC", text).lower()


def user_word(text: str) -> str:
    """The word for the user in the script of a text.

    >>> user_word("我對花生過敏"), user_word("我对花生过敏")
    ('用戶', '用户')
    """
    return "用戶" if traditional(text) else "用户"


def asks_assistant(clause: str) -> bool:
    """Whether a Chinese clause tells the assistant what to do rather than what the user is or does."""
    bare = _FILLER.sub("", clause)
    return (
        bool(_ASKS_ZH.search(bare))
        and not _SELF_START.search(bare)
        and not re.match(r"^每(?:次|天)(?!都?给|.{0,6}[你您])", bare)
    )


def third_person_zh(clause: str, subject: Subject, *, rule: bool = False) -> str:
    """A Chinese clause as a sentence about the user.

    >>> third_person_zh("我住在杭州", Subject()), third_person_zh("平时喜欢喝美式", Subject())
    ('用户住在杭州', '用户平时喜欢喝美式')
    >>> third_person_zh("以后都用英文回我", Subject(), rule=True)
    '用户要求以后都用英文回自己'
    """
    user = user_word(clause)
    bare = _TAIL.sub("", _EMOJI.sub("", _FILLER.sub("", clause).strip())).strip("，,、 ") or clause.strip()
    if rule and subject.code == "user" and asks_assistant(clause):
        words = re.sub(r"(?:我[们們]?|俺)", "自己", bare)
        return f"{user}要求{re.sub(r'^[你您](?=以|别|要|就|都|每|给)', '', words)}"
    sentence = bare[0] + re.sub(r"(?<!自)我(?![们們家])", "自己", bare[1:]) if _OWN_ACT.match(bare) else bare
    sentence = re.sub(rf"自己的?{_KIN_AHEAD}", "自己的", sentence)
    for pattern, word in _ZH_STEPS:
        sentence = pattern.sub(word.format(u=user), sentence)
    return _with_subject(sentence, bare, subject, user)


def _with_subject(sentence: str, bare: str, subject: Subject, user: str) -> str:
    if subject.code in ("user", "other"):
        return sentence if user in sentence[:12] and (sentence.startswith(user) or "我" in bare) else user + sentence
    if subject.explicit:
        return sentence if user in sentence else f"{user}的{sentence}"
    owner = subject.words
    for pattern, word in _ZH_STEPS:
        owner = pattern.sub(word.format(u=user), owner)
    owner = owner if user in owner else f"{user}的{owner}"
    rest = re.sub(r"^(?:他|她|它|牠)(?:们|們)?", "", sentence)
    return owner + rest

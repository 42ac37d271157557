"""Frames in which "I" is not the user: role play and texts handed over to be worked on."""

import re
from collections.abc import Iterable

from zhiji.core.text import fold

_PLAY = re.compile(
    r"角色扮演|扮演|过家家|跑团|剧本杀|(?:来|再|接着|咱们?|我们|陪我)演|演(?:一段|一场|个|一出)|我演|你演|排练|台词|陪我练|模拟.{0,6}(?:电话|面试|对话|谈判)|(?:现在|从现在)(?:开始|起)?你是.{1,12}我是"
    r"|你当.{1,12}我当|我当.{1,12}你当|我是[^，,。]{1,10}[，,]\s*你是|(?:^|[，,。])你是[^，,。？?吗]{1,10}[，,]\s*我是|假装(?:我|你|是)|我扮|情景(?:对话|模拟)|我来演"
    r"|(?:接着|继续)演|对(?:个|一下)?戏|对词|入戏|玩(?:个)?(?:穿越|扮演)|(?:你|我)来当|我先来[：:]|^[（(][^）)]{2,10}[）)]|模拟(?:面试|法庭|客服|考官)|陪我(?:对|排|演)"
    r"|\brole-?\s?play|\bpretend (?:i|i'm|you|you're|we|to be|that)|\blet'?s? (?:us )?(?:do a scene|play|roleplay|act)|\byou(?:'re| are| be) the (?:\w+ ?){1,3}[.!,]|\bin character\b|\bmy character\b|\bnew game\b|\bact as\b"
    r"|\byou play (?:the|a|an|my)\b|\bi(?:'ll)? play (?:the|a|an) \w+(?:,| and) you\b|\byou be (?:the|a|an|my)\b|\bmock interview|\bstay in (?:role|character)|\brehearse\b|\broll for\b"
    r"|\bcross[- ]examine me|\bmy line is\b|\bcontinue this\b|\bfirst person, (?:he|she|they)\b|\bwhere the (?:speaker|narrator)\b|^\*[^*]{3,40}\*|^(?:int|ext)\. "
    r"|\bpractise (?:english|conversation)|\bask me as\b|\bi'll be the\b|\bas if you were\b"
)
_OVER = re.compile(
    r"说正事|言归正传|不演了|不玩了|正经问|说正经的|\b(?:seriously though|back to reality|for real|end of role-?play|stop the role-?play)\b"
)


def played(messages: Iterable[str]) -> bool:
    """Whether the user's messages, oldest first, have set up a role play that is not over.

    >>> played(["咱们来演一段，你是店小二"]), played(["来演一段", "不演了，说正事"])
    (True, False)
    """
    playing = False
    for message in messages:
        text = fold(message)
        playing = (playing or _PLAY.search(text) is not None) and _OVER.search(text) is None
    return playing

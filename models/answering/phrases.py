"""The few fixed phrases of the embedded answerer, zh and en."""

from zhiji.core.text import Language

PHRASES: dict[str, dict[Language, str]] = {
    "greeting": {
        "zh": "您好，我是知己。想查资料，或者想让我记住什么，直接说就行。",
        "en": "Hello, I'm Zhiji. Ask me about your documents, or tell me what to keep in mind.",
    },
    "thanks": {"zh": "不客气。", "en": "You're welcome."},
    "farewell": {"zh": "再见，随时找我。", "en": "Goodbye. I'm here whenever you need me."},
    "chat": {
        "zh": "嗯，听到了。有想查的或想聊的，随时说。",
        "en": "I see. Let me know if there is anything you want to look up.",
    },
    "identity": {
        "zh": "我是知己：我记得您告诉过我的事，也能从资料库里找答案，并注明出处。",
        "en": "I'm Zhiji: I keep in mind what you tell me, and answer from your documents with their sources.",
    },
    "understood": {"zh": "明白。", "en": "Understood."},
    "understood_that": {"zh": "明白，{}。", "en": "Understood: {}."},
    "unknown": {
        "zh": "不知道：关于“{}”，资料库和已有的记忆里都没有能回答的内容。",
        "en": 'I don\'t know: neither the documents nor what you have told me covers "{}".',
    },
    "unknown_plain": {
        "zh": "不知道：资料库和已有的记忆里都没有能回答的内容。",
        "en": "I don't know: neither the documents nor what you have told me covers this.",
    },
    "no_last": {
        "zh": "不知道：前面还没有可以改写的回答。",
        "en": "I don't know: there is no earlier answer to rework.",
    },
    "nothing_on": {"zh": "资料库里没有关于“{}”的内容，{}。", "en": "The documents hold nothing on {}; {}."},
    "nothing": {"zh": "资料库里没有这方面的内容，{}。", "en": "The documents hold nothing on this; {}."},
    "choose": {"zh": "可以按上面这些来挑选", "en": "you can choose with this in mind"},
    "arrange": {"zh": "可以照上面这些来安排", "en": "you can arrange it around this"},
    "consider": {"zh": "可以参考上面这些", "en": "you can take this as a starting point"},
    "mind": {"zh": "请务必留意：{}", "en": "Please keep in mind: {}"},
    "rule": {"zh": "资料里的一般规定是：", "en": "The general rule in the documents: "},
    "remembered": {"zh": "记得，", "en": "Yes: "},
    "foreign": {"zh": "相关资料是英文的，原文是：“{}”", "en": "The source is in Chinese and says: “{}”"},
    "foreign_memory": {"zh": "记忆里用英文记着：{}", "en": "Your notes say, in Chinese: {}"},
    "steps": {"zh": "步骤如下：", "en": "The steps are:"},
    "no_translation": {
        "zh": "没有接入模型时不能翻译。原来的回答是：{}",
        "en": "Without a model I cannot translate. The earlier answer was: {}",
    },
    "in_list": {"zh": "{}包括：", "en": "{} include: "},
}


def phrase(name: str, lang: Language) -> str:
    """A fixed phrase in a language."""
    return PHRASES[name][lang]


def says_unknown(answer: str) -> bool:
    """Whether an answer says, right at its start, that nothing is known.

    >>> says_unknown("不知道：前面还没有可以改写的回答。"), says_unknown("退货期是7天 [K1]。")
    (True, False)
    """
    said = answer.lstrip().replace("’", "'").lower()
    return said.startswith(("不知道", "i don't know", "i do not know"))

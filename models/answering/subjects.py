"""What field of life a question or a memory touches: words for the common ones, the recall's topics for the rest."""

import re

from zhiji.core.text import fold
from zhiji.core.turn import RecalledMemory

_WORDS = {
    "food": r"吃|餐|饭|菜|食|零嘴|点心|甜品|甜点|蛋糕|水果|宵夜|外卖|火锅|烧烤|忌口|素食|吃素|口味|辣"
    r"|\b(?:eat|eating|lunch|dinner|breakfast|brunch|supper|snacks?|foods?|meals?|recipes?|cook|cooking|menu|restaurants?|dish|dishes|desserts?|cakes?|fruit|diet|vegan|vegetarian|spicy)\b",
    "drink": r"喝|饮料|饮品|咖啡|奶茶|茶|酒|果汁|不加糖|\b(?:drinks?|drinking|coffee|teas?|beer|wine|juice|milk|beverages?|caf[eé])\b",
    "medicine": r"药(?!剂|箱|械)|疫苗|保健品|维生素|打针|过敏|不耐受|\b(?:medicines?|medication|pills?|vaccines?|vitamins?|painkillers?|antibiotics?|allerg\w+|intoleran\w+)\b",
    "skin": r"面霜|护肤|化妆|洗发|面膜|防晒|\b(?:skin|cream|lotion|shampoo|sunscreen|make-?up)\b",
    "schedule": r"开会|会议|约(?:会|个|时间|见)|日程|有空|方便(?!面)|预约|安排|周[一二三四五六日末]|星期|上午|下午|晚上"
    r"|\b(?:meetings?|schedule|calls?|appointments?|free|available|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|mornings?|afternoons?|evenings?)\b",
    "travel": r"出差|旅行|旅游|机票|火车|高铁|酒店|座位|航班|住宿|行程|民宿|\b(?:trips?|travel\w*|flights?|hotels?|seats?|trains?|planes?|journey|holiday)\b",
    "reply": r"回答|回复|格式|汇报|报告|周报|表格|\b(?:answers?|repl(?:y|ies)|format|reports?|bullet)\b",
    "family": r"女儿|儿子|孩子|老婆|老公|妻子|丈夫|爸|妈|家人|父母|宝宝|\b(?:daughters?|sons?|child(?:ren)?|kids?|wife|husband|family|parents?|mother|father)\b",
    "pets": r"宠物|猫|狗|\b(?:pets?|cats?|dogs?)\b",
    "leisure": r"爱好|兴趣|运动|健身|电影|音乐|游戏|唱歌|跑步|爬山|去玩|好玩|\b(?:hobb\w+|sports?|movies?|films?|music|games?|exercise|workout)\b",
    "place": r"附近|本地|当地|周边|天气|哪个城市|\b(?:near(?:by| me)?|around here|local|weather|in town)\b",
    "work": r"工作|职业|项目|公司|岗位|\b(?:jobs?|work|projects?|career|company)\b",
    "reading": r"书(?!面|记|签)|小说|阅读|\b(?:books?|novels?|reading)\b",
    "devices": r"手机|电脑|平板|耳机|键盘|相机|\b(?:phones?|laptops?|computers?|headphones?|keyboards?|cameras?)\b",
}
_KEYS = {
    "food": r"^diet|food|snack|cuisine",
    "drink": r"drink|beverage",
    "medicine": r"allerg|medic",
    "schedule": r"^schedule|calendar",
    "travel": r"travel|seat",
    "reply": r"^reply|style|format",
    "family": r"^family|child|spouse",
    "pets": r"^pets?\b",
    "place": r"^residence|city",
    "work": r"^job|^work",
    "devices": r"device|phone",
}
_WORDS_COMPILED = {name: re.compile(pattern) for name, pattern in _WORDS.items()}
_KEYS_COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _KEYS.items()}
TAKEN = frozenset({"food", "drink", "medicine", "skin"})
"""Fields in which something goes into or onto the body: there a safety constraint is always said."""

_DAYS = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天末])|\b(mon|tues|wednes|thurs|fri|satur|sun)day")


def subjects(text: str) -> frozenset[str]:
    """The fields of life that a text's words name.

    >>> sorted(subjects("推荐附近的咖啡店"))
    ['drink', 'place']
    """
    folded = fold(text)
    return frozenset(name for name, pattern in _WORDS_COMPILED.items() if pattern.search(folded))


def subjects_of(memory: RecalledMemory) -> frozenset[str]:
    """The fields of life that a memory touches: by its words, and by its key where they name none."""
    return subjects(memory.content) or frozenset(
        name for name, pattern in _KEYS_COMPILED.items() if pattern.search(memory.key)
    )


def days(text: str) -> frozenset[str]:
    """The days of the week that a text names.

    >>> sorted(days("周五下午开会"))
    ['五']
    """
    return frozenset(found[1] or found[2] for found in _DAYS.finditer(fold(text)))

"""Cues of a text: small lexical signs of who speaks of whom, in which mood, about what."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Each cue is one pattern over folded text (lower case, simplified). The classifier weighs them; none decides alone.
CUES: dict[str, str] = {
    "i": r"我(?!们|國|国)|俺(?!们)|偶(?=是|在|喜|爱)|本人|咱(?!们)|老子|人家我|\b(?:i|i'm|im|i've|ive|i'd|i'll|me|myself)\b",
    "i_first": r"^(?:[而但可那就其实对了嗯啊哦不过因为所以还有另外，, ]{0,6})(?:我|俺|本人|咱)(?!们)|^(?:and |but |so |also |well |ok |actually |oh |because |since |cos )*(?:i|i'm|im|i've|ive)\b",
    "we": r"我们|俺们|咱们|我家|俺家|我这边|我那|\b(?:we|we're|we've|our|ours)\b",
    "mine": r"我的|我这|我那|我家|自家|自己|\b(?:my|mine)\b",
    "you": r"你|您|\b(?:you|your|u|ur|you're)\b",
    "he": r"他|她|它|\b(?:he|she|they|him|his|her|their|he's|she's|they're)\b",
    "family": r"[我俺咱你]?(?:爸|妈|爹|娘|老公|老婆|媳妇|丈夫|妻子|爱人|太太|先生|老伴|对象|男朋友|女朋友|男友|女友|未婚|儿子|女儿|闺女|孩子|宝宝|小孩|娃|老大|老二|老三|小宝|大宝|二宝|双胞胎|孙子|孙女|外孙|爷爷|奶奶|姥姥|姥爷|外婆|外公|公公|婆婆|岳父|岳母|丈母娘|哥|姐|弟|妹|父亲|母亲|父母|家人|家里|老人|奶娃)"
    r"|\b(?:mum|mom|mam|mother|dad|father|parents?|wife|husband|partner|spouse|fianc|boyfriend|girlfriend|son|sons|daughter|kids?|child|children|baby|toddler|twins|brother|sister|gran|grandma|grandpa|grandson|granddaughter|grand\w+|in-law|niece|nephew|aunt|uncle|eldest|youngest|family|lad)\b",
    "child": r"孩子|宝宝|小孩|娃|儿子|女儿|闺女|老大|老二|双胞胎|\b(?:son|daughter|kids?|child|children|baby|toddler|twins|eldest|youngest)\b",
    "pet": r"猫|狗|犬|兔子?|鹦鹉|仓鼠|乌龟|宠物|金毛|柯基|布偶|英短|泰迪|哈士奇|鱼缸|毛孩子|\b(?:cat|cats|dog|dogs|puppy|kitten|rabbit|hamster|parrot|tortoise|guinea pigs?|horse|hens?|pet|pets|terrier|greyhound|whippet|labrador)\b",
    "other": r"朋友|同事|室友|舍友|同学|同桌|领导|老板|主管|经理|总监|客户|顾客|患者|病人|邻居|隔壁|楼上|楼下|对门|老师|教练|师傅|大爷|大妈|大叔|阿姨|网友|博主|群友|主播|明星|演员|歌手|球员|亲戚|表[哥姐弟妹]|堂[哥姐弟妹]|闺蜜|发小|哥们|学[长姐弟妹]|徒弟|房东|前任|小[王李张刘陈赵吴周孙]|老[王李张刘陈赵吴周孙]|[王李张刘陈赵吴周孙][总工姐哥]|有人|别人|人家|某"
    r"|\b(?:friends?|mate|colleague|coworker|co-worker|boss|manager|client|customer|patient|neighbou?rs?|next door|roommate|flatmate|housemate|teacher|coach|landlord|influencer|celebrity|actor|singer|footballer|winger|cousin|bloke|guy|girl|someone|somebody|the lady|people|plumber|agent|student|candidate|intern|ex)\b",
    "general": r"一般(?:来说|来讲|都|人)?|通常|大家|人们|有些人|很多人|好多人|谁都|越来越|据说|听说|俗话|常识|其实.{0,6}是|在我看来|我觉得|我看|说白了|\b(?:most people|people|everyone|everybody|generally|usually speaking|in general|they say|apparently|honestly|kids today|one should|imo)\b",
    "ask_end": r"[?？]\s*$|(?:吗|呢|么|不|没|嘛|呀)[?？]?\s*$",
    "ask_mark": r"[?？]",
    "ask_word": r"什么|怎么|怎样|如何|为什么|为啥|咋|哪|几|多少|多久|多大|谁|啥|是不是|能不能|可不可以|要不要|有没有|会不会|该不该|好不好|行不行|值不值|对不对"
    r"|\b(?:what|whats|what's|how|why|when|where|which|who|whose|can|could|would|should|is it|are there|do i|does|did)\b",
    "ask_tag": r"吧[?？]?\s*$|对吧|是吧|right\?$|isn't it|isnt he|\bhuh\b",
    "if": r"如果|要是|假如|假设|假使|倘若|万一|比如说?我|比方|若是|设想|想象|的话|哪天|\b(?:if|suppose|supposing|imagine|say i|let's say|lets say|hypothetically|what if|were i|would have)\b",
    "play": r"扮演|角色|假装|演一|演个|演着|假扮|模拟|剧本|台词|跑团|过家家|陪我练|情景|我演|你演|我是.{1,8}[，,]?\s*你是|你当.{1,8}我|你是.{1,10}我是|\b(?:role ?play|pretend|act as|in character|let's play|scene|you're the|you are the|i'll be the|dungeon|game master)\b",
    "quote": r"[“”「」『』\"]",
    "quote_long": r"“[^”]{6,}”|「[^」]{6,}」|\"[^\"]{12,}\"",
    "colon": r"[：:]",
    "edit": r"翻译|翻成|译成|润色|改写|总结|概括|提炼|仿写|续写|校对|改病句|摘要|歌词|歌里|小说|故事里|电影里|主角|这句|这段|下面|造句|转换|格式化"
    r"|\b(?:translate|summari[sz]e|rewrite|rephrase|proofread|proof read|paraphrase|lyric|novel|quote|sentence|paragraph|transcribe|continue this|bio|review|character|poem)\b",
    "request": r"^(?:请|麻烦|帮|给我|替我|把|写|推荐|查|算|来|做|列|翻|改|生成|解释|告诉|说说|讲讲|介绍|找|订|设|提醒|安排|整理|规划|求)|帮我|帮忙|给我|替我|推荐|求"
    r"|^(?:please |pls |can you |could you |can u |ok )*(?:write|make|give|find|help|recommend|suggest|plan|show|tell|explain|convert|draft|list|translate|check|book|remind|set|add|fix|put|turn|create|redo|rename|shorten)\b",
    "once": r"这次|这回|这一次|本次|今天(?:就|先|这)|这一?[份篇封条句个段张]|就这|这一回|只限|仅限|先别|暂时|临时|刚才|\b(?:this time|just this|for now|right now|just now|this once|only this|this one|this reply|this version|today's|for this)\b",
    "rule": r"以后|今后|往后|从今|从现在起|从此|下次|每次|一律|凡是|永远|一直都|总是|都要|都用|都给我|统一|千万|务必|别再|不要再|记住|记牢|记着|记得|记一下|给我记|麻烦记"
    r"|\b(?:always|never|from now on|going forward|in future|in the future|every time|whenever|any time|from here on|permanently|remember|keep in mind|note that|standing|as a rule|by default|note:|stop)\b",
    "prefer": r"喜欢|喜歡|爱(?=吃|喝|看|听|玩|用|穿|去|好)|最爱|偏爱|偏好|更喜欢|钟爱|迷上|着迷|首选|习惯|就认|只喝|只吃|只用|只看|只穿|无.不欢|离不开|yyds|粉丝|球迷|爱好|兴趣|\b(?:like|love|loves|prefer|prefers|favou?rite|enjoy|into|fan of|mad about|keen on|crazy about|rather|only drink|only eat|only use|big on)\b",
    "averse": r"不喜欢|讨厌|最烦|烦透|受不了|不爱|不吃|不喝|不碰|不沾|吃不了|喝不了|吃不惯|闻不|不能吃|忌口|戒|怕|恐|嫌|不想|不要|(?<![特分区级个类性差告送离辨鉴])别(?![人处墅称扭致名家])|避开|不用|\b(?:hate|hates|dislike|can't stand|cannot stand|can't bear|can't stomach|don't like|dont like|do not like|avoid|no more|allergic|scared of|afraid of|terrified|not fond|never)\b",
    "allergy": r"过敏|不耐受|不耐|起疹|哮喘|\b(?:allerg\w+|intoleran\w+|coeliac|celiac|hives|anaphyla\w+|epipen)\b",
    "health": r"糖尿病|高血压|血压|血糖|尿酸|痛风|心脏|胃|肝|肾|甲[状减亢]|椎|腰|膝|关节|手术|怀孕|孕|哺乳|吃药|服药|药|病|症|炎|癌|抑郁|失眠|近视|散光|色盲|视力|听力|骨折|扭|受伤|疼|痛|过敏|体检|医生|医院|复查|住院|疫苗"
    r"|\b(?:diabet\w*|asthma|blood pressure|surgery|pregnan\w*|medication|tablets?|pills?|knee|back pain|migraine|arthritis|dyslexi\w*|colou?r ?blind|deaf|wheelchair|injur\w*|doctor|doctor's|disease|condition|anxiety|depression|insomnia|flu|covid|sprain\w*|broke my|diagnos\w+)\b",
    "work": r"上班|下班|工作|公司|单位|职业|做.{0,4}的$|干.{0,4}的$|从事|岗|行业|老师|医生|护士|程序员|工程师|会计|律师|设计师|销售|运营|店|厂|创业|退休|辞职|跳槽|入职|实习|出差|夜班|倒班|加班|负责|管|种|养殖|亩|大棚"
    r"|\b(?:work|works|job|company|office|nurse|teacher|engineer|developer|designer|lawyer|accountant|driver|retired|freelance\w*|self-employed|run a|manage|shift|shifts|nights|boss|career|farm|acres?|hectares?|business|startup|team|employer|contract)\b",
    "study": r"大[一二三四]|高[一二三]|初[一二三]|研[一二三]|年级|考研|考公|雅思|托福|四级|六级|专业|学校|大学|学院|毕业|上学|读书|考试|备考|博士|硕士|留学|\b(?:student|study|studying|school|university|college|degree|phd|msc|exam|gcse|ielts|thesis|major|year \d+|grade)\b",
    "home": r"住在?|搬到|搬去|搬家|老家|家乡|家在|在.{1,6}(?:市|省|县|区|镇|村)|租|房|小区|楼|电梯|户口|定居|人$|籍|\b(?:live|lives|living|moved|moving|based in|from|hometown|rent|flat|house|apartment|address|relocat\w+|born in|grew up)\b",
    "device": r"手机|电脑|笔记本|平板|相机|耳机|显卡|内存|系统|苹果|华为|小米|安卓|iphone|mac|windows|linux|车|开的是|用的是|型号|路由器|\b(?:iphone|android|pixel|macbook|laptop|phone|windows|ubuntu|linux|ps5|xbox|camera|car|bike|electric|router|printer|tablet|using)\b",
    "style": r"回复|回答|回我|叫我|称呼|语气|格式|简短|详细|字数|表格|表情|英文|中文|繁体|单位|结论|步骤|风格|markdown|\b(?:answers?|repl(?:y|ies)|respond|call me|bullets?|emojis?|format|spelling|tone|sentences|words|units|metric|table|concise|short|step by step)\b",
    "age": r"\d+岁|[一二三四五六七八九十]+岁|今年.{1,4}[了岁]|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|[0-9零〇一二三四五六七八九]{2}后|岁半|个月大|生日|\b(?:years? old|yrs|aged|turning|turns|birthday|born)\b|\bi'?m \d\d\b",
    "name": r"我(?:叫|姓|名|的名字)|名叫|叫做|大名|小名|网名|名字|\b(?:my name|call me|i'm called|called|named|nickname)\b",
    "number": r"\d",
    "unit": r"[0-9一二三四五六七八九十百千万两半几]+(?:多|来)?(?:个|只|条|头|亩|斤|公斤|岁|年|天|月|周|点|块|元|万|千|平|米|公里|度|次|口|人|套|本|支|辆|间|层|号)|\b\d+(?:k|kg|lb|cm|ft|am|pm|%|acres?|years?|days?|weeks?|months?|hours?|times)\b",
    "plan": r"打算|准备|计划|要去|想去|想考|要考|约了|订了|定在|定了|安排在|即将|马上|决定|目标|报名|预约|约好|排在|中签|梦想|想攒|想在|争取|希望|\b(?:plan|planning|going to|gonna|will|booked|appointment|want to|hoping|trying to|aim|goal|saving|deadline|due|scheduled|interview|flying|starting|decided|thinking of|getting married|moving)\b",
    "when": r"今天|明天|后天|大后天|昨天|今晚|明早|下周|下下周|这周|本周|周[一二三四五六日天末]|星期|礼拜|下个?月|这个?月|月底|月初|[0-9一二三四五六七八九十]+月|[0-9一二三四五六七八九十]+[号日]|国庆|春节|五一|中秋|清明|暑假|寒假|明年|年底|年前|年后|\b(?:today|tomorrow|tmrw|tonight|yesterday|next|this (?:week|month|year|thurs|fri|sat|sun|mon|tues|wed)\w*|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|jan\w*|feb\w*|march|april|may|june|july|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*|\d+(?:st|nd|rd|th)|until|till|spring|summer|autumn|winter|christmas|easter)\b",
    "short": r"最近|这几天|这两天|这阵子|这段时间|这礼拜|目前|刚|暂时|临时|感冒|发烧|坏了|断了|\b(?:these days|this week|currently|at the moment|lately|recently|for the next|temporar\w+|stuck|broken|cold|flu)\b",
    "habit": r"每天|每周|每晚|每早|每个?月|每年|天天|平时|平常|经常|常年|一直|从来|从不|总是|老是|向来|雷打不动|固定|周末都|晚上都|早上都|习惯|\b(?:every|usually|always|often|never|daily|weekly|mornings|evenings|weekends|most days|regularly|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|each)\b",
    "now": r"现在|如今|目前|眼下|已经|\b(?:now|currently|these days|nowadays|since|already|anymore|any more|any longer)\b",
    "past": r"以前|从前|早先|早年|当年|那时|那会儿|那阵子|小时候|年轻|曾经|过去|想当年|大学时|上学时|原来|原先|去年|前年|后来|\b(?:used to|back when|back in|back then|years ago|as a kid|as a child|when i was|once had|at one time|in the nineties|in my twenties|long ago|was|were|had)\b",
    "change": r"改(?:喝|吃|用|成|到|为|玩|做|住|走|了)|换(?:了|成|到|工作|手机|车)|搬|不再|已经不|不(?:吃|喝|用|住|在|做|养|抽|去|打算|想).{0,6}了|戒了|跳槽|转行|转到|升(?:了|职|到)|降到|涨到|变成|调到|现在(?:改|用|喝|住|在)|不是.{1,12}[，,]?是|打错|说错|更正|纠正|不对|\b(?:switched|switch to|moved|changed|no longer|any ?more|instead|not .{1,20} any|left the|gone off|given up|gave up|quit|stopped|replaced|upgraded|swapped|actually|correction|typo|wrong|it's .{1,20} not|now on|started at|new job)\b",
    "drop": r"忘(?:掉|了吧|记)|别记|不用记|不要记|删|撤回|作废|取消|当我没(?:说|提)|翻篇|不算|别再(?:提|记)|清掉|抹掉|退了|黄了|\b(?:forget|delete|remove|scrap|erase|ignore what|cancel(?:led|ed)?|disregard|wipe|take .{1,20} off|called off|withdraw)\b",
    "no": r"不|没|無|无|(?<![特分区级个类性差告送离辨鉴])别(?![人处墅称扭致名家])|非|未|\b(?:no|not|don't|dont|doesn't|never|can't|cant|cannot|won't|isn't|aren't|didn't|without|nope)\b",
    "yes": r"^(?:对|是|嗯|好|没错|有|会|行|可以|就是|当然|恩|哎|诶|猜中|就它|就这|那个就)|^(?:yes|yep|yeah|yup|right|correct|exactly|sure|that's right|that one|ok|aye)\b",
    "laugh": r"哈哈|hhh|233|笑死|嘻嘻|嘿嘿|\b(?:lol|haha\w*|lmao|rofl|jk|ba dum)\b|[😂🤣😆😄😅😜😝🤪]",
    "irony": r"可真|真疼|享受呢|福气|太好了|🤡|🙃|🙄|😏|呵呵|可太|真棒|真是爱了|谢谢老板|福报|服了|绝了|👏|💀|[“\"][^”\"]{1,4}[”\"]呢|\b(?:just love|so glad|thrilled|yeah right|sure,|living the dream|oh great|wow great|highlight of|nothing i love more|ten out of ten|so{3,}|oh i just|adore being|obviously|basically|literally|legally|according to my)\b",
    "absurd": r"梦见|梦里|做梦|月球|首富|骗你的|逗你|开玩笑|老天爷|嫦娥|[（(]指|真·|doge|狗头|喝凉水|秦始皇|外星|成仙|升天|成佛|皇帝|宇宙|穿越|火星|超能力|进化|托梦|一亿|千万|八百|一百万|打钱|天下第一|地球|女王|国王|神仙|孙悟空|\b(?:dragon|wizard|ceo of|king|queen|duke|emperor|million|billion|immortal|900 years|vampire|alien|superhero|mars|the moon|spare change|houseplant|dinosaur)\b",
    "mood": r"好累|累死|烦死|气死|无聊|开心|难过|郁闷|好困|心情|崩溃|救命|呜呜|唉|好热|好冷|天气|\b(?:tired|exhausted|bored|annoyed|happy|sad|ugh|argh|weather|knackered)\b",
    "thanks": r"谢谢|多谢|感谢|辛苦|早上好|你好|您好|晚安|在吗|再见|好的|收到|行了|\b(?:thanks|thank you|cheers|hello|hi|hey|good morning|good night|bye|got it|perfect)\b",
    "secret": r"密码|口令|验证码|身份证|卡号|银行卡|护照号|密钥|cvv|token|api ?key|sk-|pin\b|\b(?:password|passcode|pin|otp|ssn|card number|secret key|security code)\b|\d{4}[ -]?\d{4}[ -]?\d{4}",
    "drink": r"喝|咖啡|茶|拿铁|美式|奶茶|酒|可乐|\b(?:drink|coffee|tea|latte|espresso|beer|wine|milk|water)\b",
    "food": r"吃|菜|饭|辣|甜|咸|肉|鱼|海鲜|水果|素|面|汤|口味|零食|\b(?:eat|eats|food|vegetarian|vegan|meat|fish|spicy|dinner|lunch|breakfast|recipe|cook|halal|kosher|gluten|nuts?|diet)\b",
    "list": r"、|\b(?:and|plus)\b|&",
    "exclaim": r"[！!]",
    "end_le": r"了[啊呀呢哦哈吧]?$|啦$|咯$",
    "opinion": r"我觉得|我认为|我看|在我看来|不像话|真理|值不值|好看|难看|太.{1,4}了|不靠谱|\b(?:i think|i reckon|i believe|in my opinion|should be|is simply|overrated|underrated|true or)\b",
}
NAMES = tuple(CUES)
_COMPILED = [re.compile(pattern) for pattern in CUES.values()]


def cues(folded: str) -> NDArray[np.float32]:
    """Which cues a folded text shows: ones and zeros, shape `(len(NAMES),)`."""
    return np.fromiter(
        (pattern.search(folded) is not None for pattern in _COMPILED), dtype=np.float32, count=len(NAMES)
    )


def shows(found: NDArray[np.float32], *names: str) -> bool:
    """Whether any of the named cues is among those found."""
    return any(found[NAMES.index(name)] for name in names)


def any_of(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The cues that at least one of several texts shows."""
    return np.max(np.stack(rows), axis=0) if rows else np.zeros(len(NAMES), np.float32)

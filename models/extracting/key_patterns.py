"""Patterns of the profile's fields in the user's own words, zh and en, and of what a question is about."""

import re

_V = r"(?P<v>[^，,。！!？?；;\n]{1,24}?)"
END = r"(?:了|啦|的|呢|啊|呀|哈|哦|吧|喔|诶|嘛|[~～])*$"
_OFTEN = r"(?:平时|平常|一般|通常|最|更|比较|特别|很|超|就|只|都|也|还|常|经常|每天|天天|早上|晚上|现在|如今|习惯|开始|还是)*"
_WORKPLACE = r"公司|集团|银行|医院|学校|厂|局|院|所|律所|大学|中学|小学|幼儿园|单位|机构|超市|酒店|饭店|工作室|中心|部队|车间|平安|中石油|中石化"
_JOB = (
    r"师|医生|护士|老师|教练|程序员|运营|经理|会计|出纳|司机|律师|销售|客服|老板|店主|店长|农民|学生|研究生|博士|主任|助理|顾问|研究员|公务员|厨师|编辑|记者|翻译|保安|电工|焊工|木工|主播"
    r"|站长|技术员|村官|社工|快递员|外卖员|骑手|飞行员|警察|军人|消防员|法务|财务|前台|文员|审计|采购|策划|主管|总监|种植户|养殖户|果农|菜农|作家|画家|演员|歌手|裁缝|导游|员工|管理员|作者|博主|会计师|秘书|质检|农技员"
)
_TIME_ZH = r"(?:每?(?:周|星期|礼拜)[一二三四五六日天末1-7]|周末|工作日|每天|每月\S{1,4}|早上|上午|中午|下午|晚上|夜里|凌晨|\d{1,2}点|[一二三四五六七八九十]+点)"

# key, pattern over the user's own words; the value is group v. Tried in order, for what the user says of themselves.
_ZH: list[tuple[str, str]] = [
    ("identity.nickname", rf"(?:叫我|称呼我[为作]?|喊我){_V}(?:就行|就好|就可以|即可|吧|就成){END}"),
    ("identity.nickname", r"^(?!别|不要|不许).*?(?:叫我|称呼我[为作]?|喊我)(?P<v>[\w·]{1,8})" + END),
    ("identity.name", r"(?:我|本人)(?:的)?(?:名字|全名|大名|姓名)?(?:就)?(?:叫|是叫)(?:做)?(?P<v>[\w·]{1,10}?)" + END),
    ("identity.name", r"改(?:了)?(?:个)?名(?:字)?(?:叫|为|成)(?P<v>[\w·]{1,10}?)" + END),
    ("identity.name", r"我(?:的)?(?:名字|姓名|全名)是(?P<v>[\w·]{1,10}?)" + END),
    ("identity.birthday", rf"(?:我|本人)?(?:的)?(?:阳历|农历|阴历)?生日(?:是|在|为)?{_V}{END}"),
    (
        "identity.age",
        r"^(?:我|本人)?(?:今年|现在|已经|都|快|刚|刚满|才|马上)*(?P<v>\d{1,3}|[一二三四五六七八九十]{1,3})(?:周)?岁(?:半)?"
        + END,
    ),
    ("identity.age", r"^(?:我|本人)?今年(?P<v>[1-9]\d)" + END),
    (
        "identity.constellation",
        r"(?P<v>(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座)(?:的)?" + END,
    ),
    ("identity.zodiac_animal", r"(?:我|本人)?属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?" + END),
    ("identity.gender", r"我是(?:个|一个)?(?P<v>男|女)(?:生|的|人|性|孩子?)" + END),
    ("body.height", r"身高(?:是|有)?(?P<v>\S{2,8}?)" + END),
    ("body.weight", r"体重(?:是|有|现在|降到|涨到|到)*(?P<v>\S{2,8}?)" + END),
    (
        "diet.allergy",
        r"(?:我|俺|本人)?(?:好像|从小|一直|天生)?对(?P<v>[^，,。]{1,12}?)(?:也|都|会|有点|有些|严重|特别|很|非常|真的|不是一般地|轻度|重度|容易)*(?:过敏|過敏|不耐受)",
    ),
    (
        "diet.allergy",
        r"(?:我|俺|本人)?(?:有|是|也)?(?P<v>[^，,。我对]{1,8}?)(?:严重|重度|轻度)?(?:过敏|過敏|不耐受|不耐)",
    ),
    (
        "diet.restriction",
        r"(?:我|俺|本人|家里|全家)?(?:是|一直|从小|现在|都|全|开始|只)*(?P<v>吃素|素食(?:者|主义者?)?|纯素|清真|吃斋|信佛吃素|不吃荤|犹太洁食|蛋奶素)",
    ),
    ("preference.drink", r"改(?:成)?喝(?:了)?(?P<v>[^，,。！!？?]{1,16}?)" + END),
    (
        "preference.drink",
        rf"{_OFTEN}(?:喜欢|喜歡|爱|爱上了?|只|常|必须|偏爱|迷上了?)?{_OFTEN}喝(?:点|杯|一杯|的是)?(?P<v>(?!药|水|多|完|醉|满月酒|喜酒|喜)[^，,。！!？?]{{1,16}}?){END}",
    ),
    (
        "preference.food",
        rf"{_OFTEN}(?:喜欢|喜歡|爱|爱上|偏爱|馋|好)(?:了)?{_OFTEN}吃(?:点|口)?(?P<v>[^，,。！!？?]{{1,16}}?){END}",
    ),
    (
        "diet.restriction",
        r"(?:从来|从|一直|都|全|完全|现在|是|绝对|也|基本)*(?:不吃|不能吃|吃不了|吃不惯|不碰|忌|戒|不沾|不能碰)(?:了)?(?P<v>[^，,。！!？?]{1,12}?)"
        + END,
    ),
    ("residence.hometown", r"(?:老家|家乡|籍贯|祖籍)(?:是|在)?(?P<v>[^，,。]{2,10}?)(?:的|人)?" + END),
    (
        "residence.hometown",
        r"(?:我|俺|本人|偶)(?:是|来自)(?:土生土长的?|地道的?|地地道道的?|一个)?(?P<v>[\u4e00-\u9fff]{2,6}?)(?<![男女好老病大本外商名客别工穷懒新坏主])(?:人|滴)"
        + END,
    ),
    (
        "residence.city",
        r"(?:从|由)(?P<old>[\u4e00-\u9fff]{2,8}?)(?:搬|换)(?:家)?(?:到|去|来|回)(?:了)?(?P<v>[^，,。]{2,12}?)" + END,
    ),
    (
        "residence.city",
        r"(?:住在|定居在?|常住|现居|搬(?:家)?(?:到|去|来|回)(?:了)?|换到(?:了)?|坐标|人在|常驻|生活在)(?P<v>[^，,。]{2,12}?)(?:生活|居住|住|定居|这边|那边)?"
        + END,
    ),
    (
        "residence.city",
        r"(?:^|我|俺|在)(?:现在|目前|如今)?住(?P<v>(?!在|院|校|宿|六|五|四|三|二|一|[0-9])[\u4e00-\u9fff]{2,8}?)" + END,
    ),
    ("job.employer", rf"(?:入职|跳槽到?|跳到|加入)(?:了)?(?P<v>[^，,。]{{2,16}}?){END}"),
    (
        "job.employer",
        rf"(?:我|本人)?(?:现在|目前|如今)?(?:在)(?P<v>[^，,。]{{0,12}}(?:{_WORKPLACE})[^，,。]{{0,6}}?)(?:上班|工作|任职|供职){END}",
    ),
    (
        "job.title",
        rf"(?:我|本人|俺)(?:现在|目前|的职业)?(?:是|当|做)(?:一?[名个位]|了\S{{1,4}}年的?)?(?P<v>[^，,。我你]{{0,10}}(?:{_JOB})){END}",
    ),
    ("job.title", rf"(?:职业|工作|岗位|职位)(?:是|为)(?P<v>[^，,。]{{2,12}}?){END}"),
    (
        "job.area",
        r"(?:我|本人|俺|主要|现在)+(?:负责|主管|分管|管着?|对接)(?P<v>[^，,。]{2,16}?)(?:这块|那块|的工作)?" + END,
    ),
    (
        "schedule.unavailable",
        rf"(?P<v>{_TIME_ZH}+(?:[到至和、]{_TIME_ZH}+)*)[^，,。]{{0,8}}(?:不方便|没空|没时间|不行|不能|没法|有事|排满|不在|别约|别排|不要安排)",
    ),
    (
        "reply.language",
        r"(?:用|以)(?P<v>中文|英文|英语|粤语|日语|日文|繁体字?|简体字?|普通话|法语|韩语)(?:来)?(?:回|答|跟我|和我|说|写|交流)",
    ),
    (
        "reply.length",
        r"(?:回复|回覆|回答|答案|说话|答复|内容|回我)\S{0,6}?(?P<v>简短|简洁|精简|短|详细|长|简明|简單|三句|两句|一句)",
    ),
    ("pets", r"(?:养了|养着|养的是|家里?有)(?P<v>[^，,。]{0,6}[只条匹缸个][^，,。]{1,10}?)" + END),
    (
        "possessions",
        r"(?:现在|目前)?(?:用的是|开的是|骑的是|换(?:成|了)(?:个|部|台|辆)?|改用)(?:了)?(?P<v>[^，,。]{2,16}?)" + END,
    ),
]
_EN: list[tuple[str, str]] = [
    ("identity.nickname", r"\b(?:you can )?(?<!never )(?<!don't )call me (?P<v>[A-Z]?[\w'-]+)"),
    ("identity.name", r"\b(?:my name(?:'s| is)|i'm called|name's) (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)"),
    ("identity.name", r"\b(?:i'm|i am) (?P<v>[A-ZÀ-Ý][a-zÀ-ÿ’-]{2,}(?: [A-Z][a-zÀ-ÿ’-]+)?)$"),
    ("identity.age", r"\b(?:i'm|im|i am) (?P<v>\d{1,3})(?: years old| yrs| now)?$"),
    ("identity.birthday", r"\bmy birthday(?:'s| is)(?: on)? (?P<v>.+)$"),
    (
        "diet.allergy",
        r"\b(?:allergic to|allergy to|intolerant to|intolerance to) (?P<v>[\w' -]+?)(?:,|\.|$| and i\b| so\b)",
    ),
    ("diet.allergy", r"\b(?P<v>[\w-]+(?: [\w-]+)?) allergy\b"),
    ("diet.allergy", r"\b(?P<v>lactose|gluten|dairy|nut)[ -](?:intolerant|intolerance|free)\b"),
    ("diet.allergy", r"^(?P<v>[\w ]+?) (?:gives? me hives|brings? me out in hives|makes? me swell)"),
    (
        "diet.restriction",
        r"\b(?:i'm|im|i am|we're|i've gone|i went|we keep|i keep|i eat) (?:a |an |strictly )?(?P<v>vegetarian|vegan|pescatarian|halal|kosher|teetotal|coeliac|celiac)",
    ),
    ("diet.restriction", r"\b(?:i|we) (?:don't|do not|dont|can't|cannot|never) eat (?P<v>[\w' -]+)"),
    (
        "preference.drink",
        r"\b(?:switched (?:from (?P<old>[\w ]+?) )?to|(?:i'm|im) on|i (?:now )?drink|i only drink|i (?:\w+ )?(?:like|love|prefer)(?: to drink| drinking)?) (?P<v>(?:[\w-]+ ){0,2}(?:coffee|tea|lattes?|americanos?|espresso|decaf|cappuccinos?|mocha|matcha|beer|wine|juice|water|milk))\b",
    ),
    ("residence.hometown", r"\b(?:i'm|im|i am|i come|originally) (?:originally )?from (?P<v>[A-Z][\w' -]+)"),
    ("residence.hometown", r"\b(?:i (?:was born|grew up)) in (?P<v>[A-Z][\w' -]+)"),
    (
        "residence.city",
        r"\b(?:i|we)(?:'ve| have)?(?: just| recently)? moved from (?P<old>[A-Z][\w'-]+) to (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)",
    ),
    (
        "residence.city",
        r"\b(?:moved to|relocated to|i live in|we live in|living in|my home is in|our home is in|i'm based in|im based in|based in|i'm living in|moved back to) (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)",
    ),
    (
        "job.employer",
        r"\b(?:i work (?:for|at)|i've joined|i joined|started (?:work )?at|i've started at|got a job at) (?P<v>[\w&' -]+?)(?: as\b|,|\.|$)",
    ),
    (
        "job.title",
        r"\b(?:i'm|im|i am|i work as|working as|my job is|as) an? (?P<v>(?:[\w-]+ ){0,3}(?:\w+(?:er|or|ist|ian|ant|nurse|chef|clerk|coach|student|guard|pilot|officer|agent|sister|analyst)))\b",
    ),
    (
        "job.title",
        r"\b(?:i work as|i'm working as|i am working as|i earn my living as|i make (?:a|my) living as|my job is being) an? (?P<v>[\w' -]+?)(?: these days| now| at\b.*| in\b.*| for\b.*)?$",
    ),
    (
        "job.area",
        r"\b(?:i'm in charge of|i am in charge of|i'm responsible for|i look after|i manage|i run) (?P<v>[\w' -]+)",
    ),
    (
        "schedule.unavailable",
        r"\b(?P<v>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:mornings?|afternoons?|evenings?))?|mornings|afternoons|evenings|weekends))\b.{0,30}(?:not available|unavailable|can't|cannot|busy|never free|off limits|don't schedule|no meetings)",
    ),
    (
        "schedule.unavailable",
        r"\b(?:can't|cannot|not available|unavailable|never schedule|don't schedule|no meetings|not free|busy)\b.{0,30}?\b(?P<v>(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day[\w ]*)",
    ),
    (
        "reply.language",
        r"\b(?:answer|reply|respond|write|speak|talk)(?: to me| me)? (?:only )?in (?P<v>English|Chinese|Spanish|French|German|Hindi|Japanese|Mandarin|Portuguese|Italian)",
    ),
    (
        "reply.length",
        r"\b(?:keep (?:it|them|your \w+|answers|replies)|answers?|repl(?:y|ies)|responses?)\b.{0,20}?\b(?P<v>short|brief|concise|long|detailed|to the point|two sentences\w*|one sentence)",
    ),
]
# What a question or "forget …" is about, where the value itself is not named.
_TOPICS: list[tuple[str, str]] = [
    (
        "residence.city",
        r"住(?:在)?(?:哪|什么地方)|哪个城市|哪座城市|所在(?:地|城市)|常住|where (?:i|you|do you|we|are you) (?:live|living|based)|where i'm based|(?:which|what) (?:city|town)",
    ),
    ("identity.name", r"叫什么|名字|姓名|怎么称呼|贵姓|\b(?:my|your) name\b"),
    ("identity.age", r"几岁|多大|年龄|岁数|how old|\b(?:my|your) age\b"),
    ("identity.birthday", r"生日|birthday|date of birth"),
    (
        "job.title",
        r"(?:做|干)什么(?:工作|的|职业)|职业|从事|工作是|what (?:i|do you) do\b|for a living|\b(?:my|your) (?:job|occupation)\b",
    ),
    ("job.income", r"工资|收入|月薪|salary|income"),
    ("residence.hometown", r"哪里人|哪儿人|老家|家乡|hometown|where (?:i'm|are you|i am) from"),
    ("diet.allergy", r"过敏|allerg"),
    ("diet.restriction", r"忌口|吃素|素食|不吃|能不能吃|vegetarian|vegan|dietary|halal|kosher"),
    ("preference.drink", r"喝什么|饮料|咖啡|奶茶|喝茶|喝酒|\b(?:drink|coffee|tea)\b"),
    ("preference.food", r"吃什么|口味|爱吃|喜欢吃|favou?rite food|cuisine"),
    ("body.height", r"身高|多高|height|how tall"),
    ("body.weight", r"体重|多重|weight|weigh\b"),
    ("contact.phone", r"电话|手机号|phone number"),
    ("pets", r"宠物|猫|狗|\bpets?\b|\b(?:dog|cat)\b"),
    ("possessions.device", r"手机|电脑|型号|which phone|what phone|laptop|\bdevice\b"),
    ("crops", r"种(?:的|什么)|作物|品种|crops?\b"),
]
TOPIC = [(key, re.compile(pattern, re.IGNORECASE)) for key, pattern in _TOPICS]
TABLE = {True: [(k, re.compile(p)) for k, p in _ZH], False: [(k, re.compile(p, re.IGNORECASE)) for k, p in _EN]}

"""Words of questions about pages, and the things, qualities and values that they mean."""

from __future__ import annotations

import re
from typing import Literal

Concept = Literal[
    "page", "header", "navigation bar", "sidebar", "footer", "hero section", "title", "subtitle", "heading", "text",
    "section", "link", "button", "picture", "logo", "icon", "caption", "input", "form", "search field", "column",
    "card", "copyright", "label", "map", "table", "item", "letters", "background", "contact",
    "social", "brand", "price", "paragraph",
]  # fmt: skip
Quality = Literal[
    "color", "count", "align", "place", "width", "height", "corners", "border", "bold", "letters", "wording",
    "contents", "order", "gap", "compare", "presence",
]  # fmt: skip

_MAIN = r"(?:(?:main|top|big|biggest|large|page|hero|central|exact|primary|first|welcome|opening) )"
CONCEPTS: tuple[tuple[Concept, str], ...] = (  # of two that begin at one place the first counts
    ("search field", r"search (?:bar|box|field|input|form|function)s?|search"),
    ("copyright", r"copyright(?: (?:line|notice|text|statement))?"),
    ("contact", r"contact (?:details|information|info|data|options|methods|channels|address|numbers?|block|lines?)|"
                r"phone(?: number)?|"
                r"e-?mail address(?:es)?|telephone|(?:postal |street )?address(?:es)?(?! field)|"
                r"street address"),
    ("social", r"social(?: media| networks?)?|networks?|facebook|twitter|instagram|linkedin|youtube"),
    ("brand", r"(?:company|business|brand|site|website|shop|store|restaurant|agency|firm|school|organi[sz]ation|app|"
              r"platform|practice|clinic|hotel|gym|studio|magazine|blog|team|institution|studio)(?:'s)? name|"
              r"name of the (?:company|business|brand|site|website|shop|store|restaurant|agency|firm|school|"
              r"organi[sz]ation|app|platform|hotel|gym|studio|magazine|blog)|(?:your|its) name|"
              r"name (?=(?:is |stands |goes )?(?:at|on|in|beside|next|left|shown|displayed|that stands)\b)"),
    ("price", r"prices?|costs?"),
    ("paragraph", r"(?:body |text )?paragraphs?|body (?:text|copy)|running text"),
    ("logo", r"logos?|brand mark|emblem"),
    ("icon", r"icons?|symbols?|pictograms?|emojis?"),
    ("subtitle", r"sub-?(?:heading|headline|title)s?|tag ?lines?|slogan|strap ?line|(?:intro|lead|opening) "
                 r"(?:text|paragraph|sentence)|introduction|intro\b|lead"),
    ("button", r"(?:call[- ]to[- ]actions?|cta)(?: buttons?)?s?|calls[- ]to[- ]action|buttons?(?:-like)?"),
    ("input", r"placeholders|"
              r"(?:input|form|entry|text) (?:fields?|boxes|box)|inputs?|fields?|check ?box(?:es)?|drop-?downs?"),
    ("form", r"(?:contact|sign-?up|login|newsletter|subscription|booking|registration) form|forms?|"
             r"newsletter(?: sign-?up)?"),
    ("link", r"(?:navigation|nav|menu)[- ](?:links?|items?|entries|entry|labels?|options|points?|tabs?)|"
             r"hyperlinks?|links?|tabs"),
    ("navigation bar", r"(?:top |main )?(?:navigation(?:al)?|nav|menu|top|upper)[- ]?(?:bar|menu|strip|panel)|"
                       r"navbar|navigation|nav|menu|bar (?:across|along|at|on) the (?:very )?top"),
    ("sidebar", r"side ?-?(?:bar|menu|panel)s?"),
    ("footer", r"footers?|bottom (?:bar|strip|section|row|line|of the page)|page bottom"),
    ("hero section", r"hero(?: (?:section|area|part|block|region|banner))?|banner|first screen|opening section|"
                     r"jumbotron"),
    ("header", r"headers?|(?<=the )bar|top of the page|(?:page|top) header|top section|masthead"),
    ("title", rf"{_MAIN}+(?:heading|headline|title)|headline|welcome (?:text|message|line)|"
              r"greeting(?: text| line| message)?|h1"),
    ("heading", r"(?:section )?(?:headings|headlines|titles)|(?:section |column )?(?:heading|title)|"
                r"(?:card|product) (?:titles?|names?)|(?:(?:big|large|welcome|opening|head) )+(?:line|greeting)"),
    ("section", r"(?:content )?sections?|(?:content )?blocks?|areas"),
    ("column", r"columns?|grid|(?:side|half|part) of the (?:page|screen|layout)|(?:left|right)(?:[- ]hand)?[- ]"
               r"(?:half|side(?! of the (?:bar|header|nav|menu|footer))|part|area|section|pane)|"
               r"halves|(?:both|two) (?:sides|halves|parts)"),
    ("card", r"(?:content |info |feature )?(?:cards?|tiles?|boxes|box|panels?)"),
    ("picture", r"pictures?|images?|photos?|photographs?|pics?|illustrations?|graphics?|thumbnails?|"
                r"backdrop|visuals?|portraits?|avatars?|screenshots?|carousels?|sliders?|slideshows?"),
    ("caption", r"captions?"),
    ("letters", r"(?:text|font|letter|lettering|type)[- ](?:colou?r|size|weight|face|family)|fonts?|letters?|lettering|"
                r"typeface|typography|writing"),
    ("background", r"backgrounds?(?: colou?rs?)?"),
    ("text", r"(?:texts?|copy|descriptions?|sentences?|wording|content|statement)"),
    ("label", r"labels?"),
    ("map", r"maps?"),
    ("table", r"tables?"),
    ("page", r"(?:whole |entire |web ?)?page(?: as a whole)?|(?:web ?)?site|whole design|overall (?:page|design)|body"),
    ("item", r"(?:(?!(?:of|in|on|the|an?|for|with|and|or|to|at|from|your|my|our|all|any|some|each|every|these|those|"
             r"first|second|third|last|more|are|is|be|how|many)\b)\w+ )?(?:"
             r"listings?|products?|artworks?|items?|posts?|articles?|recipes?|projects?|services|"
             r"testimonials?|"
             r"members?|events?|plans|features|entries|pieces|offers?|reviews?|stories|deals|destinations|courses|"
             r"propert(?:y|ies)|packages?|tours?|meals?|dish(?:es)?|books?|songs?|program(?:me)?s?|class(?:es)?|"
             r"houses?|homes?|rooms?|cars?|games?|movies?|albums?|collections?|categor(?:y|ies)|quotes|brands|pairs?|slides|"
             r"(?<=the )lists?|(?<=\ba )list|bullet points?|bullets|"
             r"departments?|treatments?|topics|destinations?|opinions)"),
)  # fmt: skip

_COLOR_WORD = (
    "white|black|gr[ae]y|silver|red|crimson|maroon|orange|amber|yellow|gold(?:en)?|green|lime|olive|teal|turquoise|cyan|"
    "aqua|blue|navy|sky|indigo|violet|purple|lilac|pink|magenta|rose|brown|tan|beige|cream|ivory"
)
HUES = {
    "gray": "grey", "silver": "grey", "crimson": "red", "maroon": "red", "amber": "orange", "gold": "yellow",
    "golden": "yellow", "lime": "green", "olive": "green", "turquoise": "teal", "cyan": "teal", "aqua": "teal",
    "navy": "blue", "sky": "blue", "violet": "purple", "lilac": "purple", "magenta": "pink", "rose": "pink",
    "tan": "brown", "beige": "brown", "cream": "yellow", "ivory": "yellow",
}  # fmt: skip
NEAR_HUES = (  # names that two people may give one colour
    {"blue", "indigo"}, {"indigo", "purple"}, {"purple", "pink"}, {"pink", "red"}, {"orange", "brown"},
    {"orange", "yellow"}, {"green", "teal"}, {"teal", "blue"}, {"orange", "red"}, {"brown", "yellow"},
)  # fmt: skip
DEPTHS = {"very pale": -3, "pale": -2, "light": -1, "": 0, "dark": 1, "very dark": 2}
DEPTH_WORDS = {
    "light": -1, "lighter": -1, "pale": -2, "soft": -1, "pastel": -2, "off": -3, "dark": 1, "darker": 1, "deep": 1,
    "navy": 1, "maroon": 1, "bright": 0, "medium": 0, "mid": 0, "very": 0,
}  # fmt: skip
COLOR = re.compile(
    rf"\b((?:(?:very|light|pale|soft|pastel|off|dark|deep|bright|medium|mid)(?:er)?[ -])*)({_COLOR_WORD})\b"
)
OF_THE_THING = re.compile(rf"\b(?:the|this|that|my|your) {COLOR.pattern}(?= [a-z])")
TONE = re.compile(r"\b(dark|light|bright)\b(?! (?:text|letter))")

ALIGNED = {
    "centred": r"cent(?:er|re)(?:d|-aligned| aligned)?|in the middle",
    "justified": r"justif\w+",
    "aligned left": r"left[- ]aligned|aligned (?:to the )?left|flush left|left",
    "aligned right": r"right[- ]aligned|aligned (?:to the )?right|flush right|right",
}
SIDE_WORDS = {
    "on the left": r"\bleft\b", "in the centre": r"\bcent(?:er|re)\w*\b|"
                   r"\bmiddle\b", "on the right": r"\bright\b(?! (?:now|place|way|idea))",
}  # fmt: skip
ROW_WORDS = {"at the top": r"\btop\b(?! (?:bar|menu|nav))", "at the bottom": r"\bbottom\b"}
NUMBERS = {"no": 0, "zero": 0, "one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
           "eight": 8, "nine": 9, "ten": 10, "twelve": 12}  # fmt: skip

QUALITIES: tuple[tuple[Quality, str], ...] = (  # the first that fits counts
    ("gap", r"\bspac(?:e|ing)\b|\bgap\b|\bmargins?\b|\bpadding\b|\bdistance\b|\bfar apart\b"),
    ("count", r"\bhow many\b|\bnumber of\b|\bcount of\b|\bsingle or\b"),
    ("compare", r"\bcompared\b|\bsame (?:width|size)\b|\bequal(?:ly)?\b(?! spac)|"
                r"\beven(?:ly)?\b(?! spac)|\bsymmetric\w*|\bas wide as\b|\bwider than\b|"
                r"\bproportions?\b|"
                r"\bratio\b"),
    ("corners", r"(?<!left )(?<!right )(?<!hand )(?<!which )\bcorners?\b|"
                r"(?<!way )\bround(?:ed|ish)?\b|\bpill\b|\bsquare\b|\bsharp\b|\bcircular\b"),
    ("border", r"\bborders?\b|\boutlined?\b|\bframed?\b"),
    ("letters", r"\b(?:font|text|letter|type)[- ]?size\b|\bhow (?:big|large|small) (?:\w+ ){0,3}(?:heading|text|"
                r"title|headline|"
                r"font|letters?|lettering)\b|\b(?:larger?|smaller|big(?:ger)?|small) (?:font|letters|text|type)\b"),
    ("bold", r"\bbold\b|\bfont[- ]?weight\b|\bheavy\b|\bregular weight\b|\bthin\b"),
    ("width", r"\bhow (?:wide|broad|large|big)\b|\bwidth\b|\bfull[- ](?:width|bleed)\b|\bwide\b|\bsizes?\b|"
              r"\bdimensions?\b|\bnarrow\b"),
    ("height", r"\bhow (?:high|tall|long)\b|\bheight\b|\btall\b|\bfull[- ](?:screen|height)\b"),
    ("color", r"\bcolou?r(?:s|ed|ing)?\b|\bpalette\b|\bshades?\b|\bhues?\b|\btones?\b|"
              r"\bbackgrounds?\b(?! (?:picture|image|photo))|"
              r"\btint\b|\btheme\b|\bhow (?:dark|light)\b"),
    ("place", r"\bwhere(?:'s|abouts)?\b|\bwhich side\b|\bpositions?\b|\bposition(?:ed)\b|\bplaced?\b|"
              r"\blocated?\b|\bplacement\b|"
              r"\bwhich corner\b|\bon top of\b"),
    ("align", r"\balign\w*\b|\bcent(?:er|re)(?:d|ed)\b|\bjustif\w+\b"),
    ("wording", r"\b(?:say|says|read|reads|written|wording|caption(?:s|ed)?|label(?:s|led|ed)?|called|named|"
                r"(?:what|which|exact) (?:\w+ )?text(?! (?:colou?r|size|align|is cent))|"
                r"text (?:of|on|for|should|does|goes|in)|phrase|titled|"
        r"exact words|word for word|verbatim|spelt|spelled|placeholder|worded|overlay|print(?:ed)?)\b"),
    ("order", r"\border\b|\bsequence\b|\bfrom top to bottom\b|\bstructure\b|\boverall layout\b"),
    ("contents", r"\bcontains?\b|\bholds?\b|\binclud(?:e|es|ed)\b|\bbelongs?\b|\binside\b|\bput in(?:to)?\b|"
                 r"\bgo(?:es)? in(?:to)?\b|"
                 r"\bconsists?\b|\bappears?\b|\bmade of\b|\bwhat(?:'s| is| are| should be|"
                 r" do(?:es)?) (?:\w+ ){0,4}(?:in|on|under|"
                 r"below)\b|\bdetails\b|\bshown?\b"),
)  # fmt: skip

UNSEEN = re.compile(  # what no picture of a page shows
    r"\b(?:hover\w*|(?<!can )(?<!visitors )(?<!users )click\w*|press(?:ed|ing)|"
    r"tapp?(?:ed|ing)?|sticky|scroll\w*|animat\w+|transitions?|"
    r"responsive\w*|mobile|on (?:a )?(?:smart)?phones?|"
    r"tablets?|small(?:er)? screens|breakpoints?|collaps\w+|hamburger|drop ?downs? open|carousel|slid(?:er|"
    r"eshow)|rotat\w+|autoplay|"
    r"parallax|zoom\w*|font (?:family|name|face)|typeface|google fonts?|framework|tailwind|bootstrap|javascript|"
    r"react|alt(?:ernative)? text|"
    r"meta|seo|accessib\w+|"
    r"(?:does|do|should|will) (?:the |this |that )?(?:buttons?|links?|logo|it|they|each|cta)(?: \w+){0,2} link to|"
    r"lead(?:s)? to\b|point(?:s)? to|"
    r"open(?:s)? in|new tab|target|urls?|href|redirect\w*|submits|submitted|submitting|"
    r"validat\w+|backend|database|loads? faster|browser|functional|interactiv\w+|works?\b(?= when)|(?:which|"
    r"what) fonts?\b(?! (?:size|weight|colou?r))|serif|"
    r"language version|translat\w+|dark mode|play(?:s|ed)? automatically|stay(?:s)? (?:visible|in place|fixed)|"
    r"e-?mails? (?:get )?sent)\b"
)
DEPICTED = re.compile(  # what a picture shows is anybody's guess: they are placeholders
    r"\b(?:show|depict|display|feature|portray|visible|seen|imagine|motif|subject|theme of|be of|what kind of|"
    r"which kind of|"
    r"what sort of|what type of|kind of)\b"
)
OPEN = re.compile(
    r"\b(?:(?:more|further|additional|any(?: other)?|some) (?:details?|information|guidance|specifics|context)|"
    r"tell me (?:more|about "
    r"(?:the page|it|your page|the design))|describe|overview|what (?:do|would|should) (?:you|it|"
    r"the page) (?:want|like|look like|"
    r"have in mind|imagine|envision)|how (?:should|does|do|would|will) (?:it|the page|the site|everything|"
    r"your page|the design|you)\b.*"
    r"\b(?:look|imagine|want|laid out|organi[sz]ed|structured)|general layout|overall (?:layout|structure|look)|"
    r"elaborate|"
    r"what (?:are|is) (?:your|the) (?:requirements?|expectations?|vision)|anything (?:specific|particular))\b"
)
ELSE = re.compile(
    r"\b(?:any(?:thing|one)?|something|what) (?:else|more|other|missing|left|further)\b|\bany (?:other|further|"
    r"more) \w+|"
    r"\bdid i (?:miss|forget)\b|\banything i (?:missed|forgot|should know)\b|\bother requirements\b"
)
COMPARES = re.compile(
    r"\b(?:does|do|is|are) (?:this|it|that|my (?:page|draft|version)|the (?:draft|new version)|these|everything|"
    r"all)\b.*\b(?:match|right|"
    r"correct|ok(?:ay)?|good|better|fine|closer?|look|like|want|expect|mind|satisf\w+|happy|acceptable|"
    r"there yet)\b|\bhow (?:close|about "
    r"(?:now|this))\b|\bwhat (?:do you think|(?:still )?(?:differs|is (?:wrong|different|off|missing)|"
    r"needs? (?:to )?(?:be )?chang\w+)|"
    r"(?:should|must|can|could) (?:i|be) (?:change\w*|fix\w*|improve\w*|adjust\w*))\b|\bany (?:changes|"
    r"corrections|feedback|differences|"
    r"adjustments)\b|\bis (?:it|this|that) (?:right|ok|better|correct)\b|\bhow does (?:it|this) look\b|"
    r"\bwhat's (?:wrong|different|off|"
    r"missing)\b|\bdifferences?\b|\byour feedback\b"
)
ALL_DIFFERENCES = re.compile(
    r"\b(?:all|every|each)\b(?: \w+){0,3} (?:differences?|changes?|corrections?|mistakes?|deviations?|things?|"
    r"details?)\b|\beverything "
    r"(?:that|which|you|wrong|different)\b|\bcomplete list\b|\bfull list\b"
)
PROPOSES = re.compile(
    r"\b(?:does (?:this|that) (?:match|fit|sound|work|suit)|(?:is|would|will) (?:this|that|"
    r"it) (?:be )?(?:ok(?:ay)?|right|correct|fine|"
    r"what you|good|alright|acceptable)|shall i do (?:so|that|it)|should i do (?:so|that|it)|sounds? (?:good|"
    r"right|ok(?:ay)?)|"
    r"do you agree|am i right|agreed|correct|right|ok(?:ay)?|is that (?:it|so)|go ahead|work for you)\b[^?]*\?$|"
    r"\bis (?:this|that|it) (?:what you )?(?:want(?:ed)?|intended|desired|needed|planned|meant|in line)\b|"
    r"^\W*(?:right|correct|ok(?:ay)?"
    r"|agreed)\?$"
)

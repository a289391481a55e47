"""The words of questions: which of them name a kind of thing, and which say nothing about the matter."""

from __future__ import annotations

import re

from colbench_gym.humans.code_reader.facts import Kind, stem

_TYPE = "(?:list|string|str|boolean|bool|number|integer|int|float|dict|dictionary|tuple|set|array)s?"
PHRASES: dict[Kind, re.Pattern[str]] = {
    "edges": re.compile(r"\b(edge|corner|special|boundary|unusual|exceptional)[- ]?cases?\b"),
    "case": re.compile(
        r"\b(upper|lower|letter)[- ]?case|\bcase[- ](in)?sensitiv\w*|\bignor\w+ case\b|\bcapitali[sz]\w*"
    ),
    "types": re.compile(
        rf"\b(?:an?|as) {_TYPE}(?: of \w+)?(?:,| or) (?:or )?(?:an? )?{_TYPE}\b|\bdata ?types?\b|"
        r"\btype of (input|output|argument|parameter|value)s?\b"
    ),
    "ties": re.compile(r"\btie[- ]?break\w*|\bties?\b|\bequal scores?\b"),
    "returns": re.compile(r"\bgive[sn]? back\b"),
}
_KIND_WORDS: dict[Kind, str] = {
    "arguments": "argument parameter param input inputs accept",
    "types": "type datatype",
    "returns": "return output result outcome produce yield",
    "edges": "edge corner special invalid empty missing none null negative zero unexpected unknown exception guard "
    "validation validate malformed blank absent exceptional unusual",
    "errors": "error exception raise fail failure crash",
    "conditions": "condition rule criteria criterion logic branch decide determine classify check depend if "
    "requirement scenario policy when",
    "constants": "constant threshold number weight cutoff fixed magic percentage factor ratio multiplier limit "
    "coefficient rate hardcoded literal numeric predefined bound boundary",
    "formula": "formula calculate calculation compute computation equation math mathematical arithmetic sum average "
    "algorithm expression combine weighting scoring",
    "format": "format structure shape string text wording label layout representation display phrasing message",
    "order": "order sort sequence rank ascending descending priority sorting ordering arrange",
    "ties": "tie tiebreak tiebreaker",
    "rounding": "round rounding decimal precision integer whole float truncate floor ceil digit ceiling truncation",
    "case": "casing capitalization capitalisation lowercase uppercase capital",
    "defaults": "default optional omit omitted fallback",
    "keys": "key field attribute column dictionary dict mapping lookup table schema",
    "loops": "loop iterate filter include exclude iteration traverse filtering",
    "imports": "import library package module dependency helper",
}
KIND_OF: dict[str, set[Kind]] = {}
for _kind, _words in _KIND_WORDS.items():
    for _word in _words.split():
        KIND_OF.setdefault(stem(_word), set()).add(_kind)
_SAID_ANYWAY = """
    a an the this that these those it its they them their there here i you we he she me my your our us one ones and
    or but so because as of in on at to for from by with without into onto over under about than then per via is are
    was were be been being am do does did done doing have has had having can could should would will shall may might
    must need needs needed want wants wanted like prefer please thanks thank okay ok sure great hi hello not no yes
    also just only any some all each every both either neither same different such own more most less least very too
    much many few several how what which who whom whose where why when if else whether while during function
    functions code python program script method implementation implement write writing create build make made get
    gets got give gives given take takes taken use used using work works handle handled handling happen happens
    behave behaviour behavior treat treated treating consider considered expect expected exactly exact specific
    specifically particular certain kind kinds sort sorts way ways thing things detail details information info know
    knowing tell clarify clarification explain describe provide let help understand share question questions answer
    first second next last before after start begin finally final possible possibly value values item items element
    elements data list lists lists' tuple variable variables name named names call called look looks come comes go
    goes put set should've example examples instance e.g i.e etc otherwise still main general overall basic right
    correct correctly properly actual actually really currently case cases mean means meant say says said there's
    what's it's i'm i'd don't doesn't user human person task problem involved applied apply applies relevant
    important assume assumption assumptions based between up down out off again ever even around across within
    against worth aware care matter matters mind appear occur exist exists existing contain contains become affect
    affects regard regarding regards concerning two three four five ten zero-based pass passed passing receive
    received supply supplied support supported something nothing everything anything someone step steps follow
    following follows precise precisely match matches matched matching find finds found available valid allow
    allowed allows associated corresponding add adds added choose chosen choosing select selected option options
    present sense applicable compare compares compared comparing comparison
"""
PLAIN = frozenset(stem(word) for word in _SAID_ANYWAY.split())  # words of every question

"""The words of questions: stems, words that say nothing about the matter, and words that mean the same."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

import snowballstemmer  # type: ignore[import-untyped]  # ships no types

_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = threading.Lock()  # a stemmer keeps the word at hand in itself
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BRITISH = (
    ("isation", "ization"),
    ("ise", "ize"),
    ("ising", "izing"),
    ("ised", "ized"),
    ("colour", "color"),
    ("our", "or"),
)
_MAX_WORD = 40
_MAX_REMEMBERED = 120  # characters of a text whose stems are remembered
_WHOLE = frozenset(["several"])  # its stem would be that of "severe"
_FUZZY = 5  # letters from which a word may be misspelt


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return a word without the endings of grammar: "calculated" and "calculates" are one."""
    word = word.lower().removesuffix("'s")
    if len(word) > _MAX_WORD or not word.isascii() or word in _WHOLE:
        return word
    for british, american in _BRITISH[:5]:
        if len(word) > len(british) + 3 and word.endswith(british):
            word = word.removesuffix(british) + american
            break
    word = word.replace("colour", "color").replace("behaviour", "behavior").replace("centre", "center")
    with _STEMMING:
        return str(_STEMMER.stemWord(word))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(text.split())


def split_words(text: str) -> list[str]:
    """Return the words of a text or identifier, in lower case."""
    return [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]


def stems(texts: Iterable[str]) -> frozenset[str]:
    """Return the stems of all words of some texts."""
    return frozenset[str]().union(*map(_stems_of, texts))


def stem_list(text: str) -> list[str]:
    """Return the stems of a text in their order."""
    return list(_stems_of(text))


def _stems_of(text: str) -> tuple[str, ...]:
    return _remembered_stems(text) if len(text) <= _MAX_REMEMBERED else tuple(map(stem, split_words(text)))


@lru_cache(maxsize=8192)
def _remembered_stems(text: str) -> tuple[str, ...]:
    """Return the stems of a name or phrase: references and questions have the same ones again and again."""
    return tuple(map(stem, split_words(text)))


_PLAIN = """
    a an the this that these those it its they them their theirs there here i you we he she me my your our us one ones
    and or but so because as of in on at to for from by with without into onto under about than then per via is are
    was were be been being am do does did done doing have has had having can could should would will shall may might
    must need needs needed want wants wanted like prefer please thanks thank okay ok sure great hi hello not no yes
    also just only any some all each every same such own more most less least very too much many few several how what
    which who whom whose where why when if whether while during function functions code python program script method
    implementation implement write writing create build make made get gets got give gives given take takes taken use
    used using uses work works handle handled handling happen happens happening behave behaviour behavior treat treated
    consider considered expect expected expects exactly exact specific specifically particular particularly certain
    kind kinds way ways thing things detail details info information know knowing tell clarify clarification confirm
    explain describe specify specified provide let help understand share question questions answer answers after start
    begin finally final possible possibly value values item items element elements variable variables name named names
    called call calls look looks come comes go goes put set set example examples instance say e.g i.e etc otherwise
    still main general overall basic right correct correctly properly actual actually really currently case cases mean
    means meant says said there's what's it's i'm i'd don't doesn't user human person task problem involved apply
    applies applied relevant important assume assuming assumption assumptions based up down out off again ever even
    around across within regard regarding regards concerning two three matter matters mind appear occur exist contain
    contains regarded precise precisely okay quick quickly kindly wonder wondering curious able anything something
    nothing everything someone somehow via you're you'd i'll we'll let's that's other another else well now before
    first second shall going bit little maybe perhaps simply desired desire intend intended entry entries become shape
    figure figures exactly resulting time times supposed always never keep kept treat count counts counted been result
    results return returns returned output outputs input inputs argument arguments parameter parameters data format
    list lists type types calculate calculated calculation compute computed determine determined
"""
PLAIN = frozenset(stem(word) for word in _PLAIN.split()) | frozenset(_PLAIN.split())

_SAME = """
    threshold limit cutoff boundary bound cap minimum maximum ceiling
    price cost fee charge bill amount
    total sum
    average mean avg
    person people resident citizen inhabitant
    user participant member player
    id identifier
    key field attribute property column
    discount reduction rebate
    percent percentage pct
    rate ratio
    tier band bracket range
    size length
    weight heaviness
    age old older year
    text message wording sentence string phrase
    date day
    word term
    remove strip drop delete discard
    increase raise rise
    decrease reduce drop fall lower
    score point mark
    fail failure
    speed velocity pace
    income earnings salary wage
    temperature heat temp cold hot warm cool
    duration length period
    category class group label classification
    employee worker staff
    picture image photo
    item product good article
    bonus extra
    tax levy duty
    customer client buyer
    equal tie same
    highest largest biggest greatest maximum max top
    lowest smallest least minimum min
    kid child children son daughter
    wife spouse husband partner
    shop store bakery seller vendor
    company firm business employer organisation organization
    boss manager supervisor
    car vehicle automobile auto
    plane flight aircraft
    house home building flat apartment
    doctor physician
    patient subject
    drug medicine medication dose dosage treatment
    illness disease condition sickness
    student pupil learner
    teacher instructor
    grade mark rating score
    film movie
    show series programme program
    song track tune
    book title publication
    author writer
    game match
    team side squad club
    win victory
    loss defeat
    player athlete participant
    city town place location
    country nation state
    area region zone district
    road street route path
    dog hound
    food meal dish
    money cash fund budget
    gain profit earning
    loan credit debt
    interest yield return
    job occupation profession work
    skill ability talent
    experience expertise
    crime offence offense felony charge
    sentence punishment penalty
    prison jail detention
    guilty convicted
    law legislation rule
    vote ballot poll
    war conflict battle fight
    soldier troop fighter
    weapon arm gun
    death casualty fatality kill dead
    injury wound hurt
    risk danger hazard threat
    safe secure
    fast quick rapid
    middle centre center
    link url address
    picture photo image
    file document
    device gadget machine appliance
    computer pc laptop
    phone smartphone mobile
    screen display
    request query call
    reply response answer
    error mistake fault
    delay wait lag
    distance length range
    rain precipitation
    surcharge extra supplement fee
    deposit payment instalment
    contract agreement deal
    member subscriber
    guest visitor
    staff personnel crew
    half halve
    drive disk
    letter character
    sign symbol
    neighbour neighbor adjacent
    copy duplicate
    share portion part proportion fraction
    frequency occurrence
    goal aim target objective
    reason cause motive
    language tongue
    capital uppercase
    missing absent
    allow permit accept
    deny refuse reject
    join concatenate merge combine
    cut truncate trim
"""
RELATED: dict[str, frozenset[str]] = {}
for _line in _SAME.strip().splitlines():
    _group = frozenset(stem(word) for word in _line.split())
    for _word in _group:
        RELATED[_word] = RELATED.get(_word, frozenset()) | _group


def related(words: Iterable[str]) -> frozenset[str]:
    """Return the stems that mean the same as some stems, those left out."""
    own = frozenset(words)
    return frozenset(other for word in own for other in RELATED.get(word, ())) - own


def close(word: str, vocabulary: Iterable[str]) -> str:
    """Return the word of a vocabulary that a misspelt one stands for; empty when there is none."""
    if len(word) < _FUZZY:
        return ""
    for known in vocabulary:
        if abs(len(known) - len(word)) <= 1 and len(known) >= _FUZZY and known[0] == word[0] and _one_slip(word, known):
            return known
    return ""


def _one_slip(word: str, other: str) -> bool:
    """Return whether one letter was left out, added, changed, or swapped with the next."""
    start = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, wanted = word[start:], other[start:]
    swapped = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]
    return rest[1:] == wanted or rest == wanted[1:] or rest[1:] == wanted[1:] or swapped


def akin(word: str, vocabulary: Iterable[str]) -> str:
    """Return the word of a vocabulary that begins as a word does: "weigh" and "weight"; empty when there is none."""
    for known in vocabulary:
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, known, strict=False)))
        if shared >= _FUZZY and max(len(word), len(known)) - shared <= 4:
            return known
    return ""

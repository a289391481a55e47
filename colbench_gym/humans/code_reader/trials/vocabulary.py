"""Words that tell what a question supposes, and what it proposes as the outcome."""

from __future__ import annotations

from colbench_gym.humans.code_reader.lexicon import stem


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


# begin a clause that supposes something
SUPPOSING = _words(
    "if when whenever while suppose supposing say assume assuming given provided with without for where "
    "once unless whose having case about despite although though imagine"
)
# deny what follows
NEGATIONS = _words(
    "no not never neither nor without isn't aren't doesn't don't didn't wasn't weren't hasn't haven't "
    "lacks lacking lack except cannot can't non zero nobody false off disabled untrue"
)
# begin a clause that tells what the agent would do
MINE = _words("i'd i'll i we'd we'll we it'd just simply then")
# follow those
DOING = _words("return give raise treat count would will say skip ignore drop keep throw assume expect be returns")
# begin a relative clause
RELATIVE = _words("which who that")
# follow those
STATE_VERBS = _words("is are has have was were had contains exceeds lacks")
# begin a clause that goes on with a supposition
GOES_ON = _words("like eg ie such and with but or")
# belong with a preposition behind them
TAKES_PREPOSITION = _words(
    "account accounted check look looked stand stands standing ask asked deal dealt worry begin start"
)
# begin a question
ASKING = _words("should shall what which how does do will would must may can could")
# state that one number is above another
MORE = _words(
    "more greater larger higher older longer bigger over above exceed exceeds exceeded exceeding beyond "
    "after past later heavier richer taller faster hotter surpasses surpass >"
)
# state that one number is below another
LESS = _words(
    "less fewer lower smaller younger shorter under below before earlier lighter colder slower beneath < cheaper"
)
# state that two are equal
EQUAL = _words(
    "exactly equal equals precisely same identical equally match matches matched alike coincide itself "
    "tie tied right on at hits reach reaches reached borderline"
)
# stems of what a limit is called
LIMIT = _stems("threshold limit minimum maximum min max cutoff cut-off boundary border bound requirement edge required")
# of containers and texts
EMPTY = _words("empty blank")
# of anything
NONE = _words("none null nonetype")
# of keys and arguments
MISSING = _words("missing absent lacks lack lacking omitted unspecified")
# with a negation: missing
GIVEN = _words("given supplied provided specified passed set present included contained listed filled")
# of texts that are looked up
UNKNOWN = _words(
    "unknown unrecognised unrecognized unsupported invalid undefined unlisted unexpected other another "
    "else different unfamiliar misspelt misspelled anything something nonexistent made-up unusual strange "
    "odd"
)
# with a negation: unknown
HEARD_OF = _words("know heard known recognised recognized supported listed covered expected")
# of items
TWICE = _words("duplicate duplicates duplicated twice repeated repeats repeat doubled")
# before a value that is proposed as the outcome
OUTCOME_VERBS = _words(
    "return returns returned returning give gives giving get gets result output yield yields be become "
    "becomes treat treated treating as default defaults fall back score produce produces mean means to "
    "come out counts = say says use equal is"
)
# propose an error
RAISES = _words(
    "raise raises raised raising throw throws thrown error errors exception exceptions crash crashes reject rejected"
)
# propose all of an argument
EVERYTHING = _words("everyone everything everybody complete whole full entire unchanged")
# may follow a proposed number
AFTER_VALUE = _words("or and instead in then if when rather as for by to at too here there % points point")
# propose a limit of the result
BOUNDING = _words("stop stops cap capped clamp clamped floor bounded limit limited bottom never")
# say what a container holds
HOLDING = _words("contain contains include includes hold holds have has")
# say what something is
BEING = _words("be is are was equals equal become =") | HOLDING
# stems of what the result is called
RESULT = _stems("result output function outcome return value answer it")
# stems that propose True
POSITIVE = _stems(
    "count qualify pass ok okay accept allow enough eligible valid possible approve sufficient match true "
    "hold fine good belong win succeed suffice still get considered grant satisfy meet work safe success "
    "yes already"
)
# stems that propose False
NEGATIVE = _stems(
    "reject refuse deny denied exclude disqualify fail out ineligible invalid lose rule exempt unsafe "
    "false rejection banned"
)
# stems of names that tell no place from another
VAGUE = _stems(
    "the a an of in is has was are be to for and or on by per with num number numbers no list lists dict "
    "data value values total count counts input inputs output string strings array name names item items "
    "info details flag should can use type level current given my our your first second one two"
)
# propose what happens to an input or to the result
SPECIAL = _words(
    "special specially handle handled handling treatment guard validate validated check checked prevent reaction "
    "unchecked unhandled unvalidated"
)
DROPPED = _words(
    "skip skips skipped ignore ignored ignores excluded exclude omit omitted dropped drop removed remove filtered "
    "discard discarded disregard disregarded left leave out missing"
)
RECOGNISED = _words("recognised recognized accepted accept works work valid supported hit found find match matches")
KEPT = _words("kept keep included include appear appears show shows remain remains listed stay stays retained in")
SAME = _words("same identical unchanged alike")
DIFFERS = _words("matter matters difference affect affects influence influences impact effect change changes")
BETTER = _words(
    "increase increases higher raises bonus gain gains boost boosts improve improves rise rises likelier extra better "
    "help helps add adds more"
)
WORSE = _words(
    "decrease decreases lower lowers reduce reduces hurt hurts penalty penalised penalized worse fall falls harm harms "
    "deduct deducts subtract cheaper less fewer"
)
# make up a short question that asks for agreement with what was said before: "right?", "fine with you?"
TAG = _words(
    "ok okay right correct yes no true fine good enough with you all alright is that so it isn't doesn't won't aren't "
    "does do am i agreed agree leave at any objections or this sound sounds match fit work what you want acceptable "
    "sure understood your expectation be would will look looks and the way"
)
# say that an item of one list has nothing to do with another
UNMATCHED = _words(
    "match matches occur occurs occurring fit fits mention mentions mentioned appear appears contain contains found "
    "exist exists receive receives belong belongs shared common available listed"
)
TWOFOLD = _words("twice both each again separately add adds sum double doubled every count counts")
ONCE = _words("once removed remove ignored ignore unique distinct dedupe deduplicated dropped drop skipped")
# compare containers by their size
SIZES = _words("length lengths size sizes number numbers long many count lists longer shorter")
UNLIKE = _words("unequal different differ differing mismatch mismatched unlike longer shorter")
# speak of the items of a container
INSIDE = _words("contain contains containing among include includes element elements entries entry")
# make up a courtesy that proposes nothing
COURTESY = _words("glad happy thank thanks welcome appreciate sorry")
# stand with a container whose size a number is compared with
COUNTED = _words("number count amount many there length items entries elements has size")
# with "enough": of a number that is as large as it takes
LARGE = _words("big large high long huge")

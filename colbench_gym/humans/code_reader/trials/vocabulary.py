"""Words that tell what a question supposes, and what it proposes as the outcome."""

from __future__ import annotations

from colbench_gym.humans.code_reader.lexicon import stem, word_set


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


# begin a clause that supposes something
SUPPOSING = word_set(
    "if when whenever while suppose supposing say assume assuming given provided with without for where "
    "once unless whose having case about despite although though imagine"
)
# deny what follows
NEGATIONS = word_set(
    "no not never neither nor without isn't aren't doesn't don't didn't wasn't weren't hasn't haven't "
    "lacks lacking lack except cannot can't non zero nobody false off disabled untrue"
)
# begin a clause that tells what the agent would do
MINE = word_set("i'd i'll i we'd we'll we it'd just simply then")
# follow those
DOING = word_set("return give raise treat count would will say skip ignore drop keep throw assume expect be returns")
# begin a relative clause
RELATIVE = word_set("which who that")
# follow those
STATE_VERBS = word_set("is are has have was were had contains exceeds lacks")
# begin a clause that goes on with a supposition
GOES_ON = word_set("like eg ie such and with but or")
# belong with a preposition behind them
TAKES_PREPOSITION = word_set(
    "account accounted check look looked stand stands standing ask asked deal dealt worry begin start"
)
# begin a question
ASKING = word_set("should shall what which how does do will would must may can could")
# state that one number is above another
MORE = word_set(
    "more greater larger higher older longer bigger over above exceed exceeds exceeded exceeding beyond "
    "after past later heavier richer taller faster hotter surpasses surpass >"
)
# state that one number is below another
LESS = word_set(
    "less fewer lower smaller younger shorter under below before earlier lighter colder slower beneath < cheaper"
)
# state that one moment comes before or after another
IN_TIME = word_set("before after earlier later")
# the same, of dates: what is older comes before
IN_AGE = word_set("older younger")
# state that two are equal
EQUAL = word_set(
    "exactly equal equals precisely same identical equally match matches matched alike coincide itself "
    "tie tied right on at hits reach reaches reached borderline"
)
# stems of what a limit is called
LIMIT = _stems("threshold limit minimum maximum min max cutoff cut-off boundary border bound requirement edge required")
# of containers and texts
EMPTY = word_set("empty blank")
# of anything
NONE = word_set("none null nonetype")
# of keys and arguments
MISSING = word_set("missing absent lacks lack lacking omitted unspecified")
# with a negation: missing
GIVEN = word_set("given supplied provided specified passed set present included contained listed filled")
# of texts that are looked up
UNKNOWN = word_set(
    "unknown unrecognised unrecognized unsupported invalid undefined unlisted unexpected other another "
    "else different unfamiliar misspelt misspelled anything something nonexistent made-up unusual strange"
)
# with a negation: unknown
HEARD_OF = word_set("know heard known recognised recognized supported listed covered expected")
# before a flag: not set
REFUSING = word_set("refuse refuses refused refusing decline declines declined fail fails failed denies stopped stops")
# of items
TWICE = word_set("duplicate duplicates duplicated twice repeated repeats repeat doubled")
# before a value that is proposed as the outcome
OUTCOME_VERBS = word_set(
    "return returns returned returning give gives giving get gets result output yield yields be become "
    "becomes treat treated treating as default defaults fall back score produce produces mean means to "
    "come out counts = say says use equal is"
)
# propose an error
RAISES = word_set(
    "raise raises raised raising throw throws thrown error errors exception exceptions crash crashes reject rejected"
)
# propose all of an argument
EVERYTHING = word_set("everyone everything everybody complete whole full entire unchanged")
# may follow a proposed number
AFTER_VALUE = word_set("or and instead in then if when rather as for by to at too here there % points point")
# propose a limit of the result
BOUNDING = word_set("stop stops cap capped clamp clamped floor bounded limit limited bottom never")
# say what a container holds
HOLDING = word_set("contain contains include includes hold holds have has")
# what one item does with what is in it twice: "a ballot that mentions an option twice"
MENTIONING = word_set("mention mentions contain contains repeat repeats lists")
# what stands before one item
ONE_OF_MANY = word_set("a an one any some each every single")
# say what something is
BEING = word_set("be is are was equals equal become =") | HOLDING
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
SPECIAL = word_set(
    "special specially handle handled handling treatment guard validate validated check checked prevent reaction "
    "unchecked unhandled unvalidated"
)
DROPPED = word_set(
    "skip skips skipped ignore ignored ignores excluded exclude omit omitted dropped drop removed remove filtered "
    "discard discarded disregard disregarded left leave out missing"
)
RECOGNISED = word_set("recognised recognized accepted accept works work valid supported hit found find match matches")
KEPT = word_set("kept keep included include appear appears show shows remain remains listed stay stays retained in")
SAME = word_set("same identical unchanged alike")
DIFFERS = word_set("matter matters difference affect affects influence influences impact effect change changes")
BETTER = word_set(
    "increase increases higher raises bonus gain gains boost boosts improve improves rise rises likelier extra better "
    "help helps add adds more"
)
WORSE = word_set(
    "decrease decreases lower lowers reduce reduces hurt hurts penalty penalised penalized worse fall falls harm harms "
    "deduct deducts subtract cheaper less fewer"
)
# make up a short question that asks for agreement with what was said before: "right?", "fine with you?"
TAG = word_set(
    "ok okay right correct yes no true fine good enough with you all alright is that so it isn't doesn't won't aren't "
    "does do am i agreed agree leave at any objections or this sound sounds match fit work what you want acceptable "
    "sure understood your expectation be would will look looks and the way"
)
# say that an item of one list has nothing to do with another
UNMATCHED = word_set(
    "match matches occur occurs occurring fit fits mention mentions mentioned appear appears contain contains found "
    "exist exists receive receives belong belongs shared common available listed"
)
TWOFOLD = word_set("twice both each again separately add adds sum double doubled every count counts")
ONCE = word_set("once removed remove ignored ignore unique distinct dedupe deduplicated dropped drop skipped")
# compare containers by their size
SIZES = word_set("length lengths size sizes number numbers long many count lists longer shorter")
UNLIKE = word_set("unequal different differ differing mismatch mismatched unlike longer shorter")
# speak of the items of a container
INSIDE = word_set("contain contains containing among include includes element elements entries entry")
# make up a courtesy that proposes nothing
COURTESY = word_set("glad happy thank thanks welcome appreciate sorry")
# stand with a container whose size a number is compared with
COUNTED = word_set("number count amount many there length items entries elements has size")

"""The scripted designer: what it understands, that it learns from messages only, and that talking makes pages better."""

import itertools

import pytest
from shown_pages import shown

from colbench_gym.action import extract_page, parse_action
from colbench_gym.episode import Episode
from colbench_gym.errors import UsageError
from colbench_gym.graders.layout_similarity import LayoutSimilarity
from colbench_gym.humans.page_critic import PageCritic
from colbench_gym.page_language.sentences import read_statements, say
from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.policies import make_policy
from colbench_gym.policies.designer import Designer, first_draft, statements
from colbench_gym.policies.designer.free_words import guess_statements
from colbench_gym.policies.designer.words import known_requests, spot_of
from colbench_gym.rules import FRONTEND
from colbench_gym.tasks import load_tasks
from colbench_gym.tasks.generated_frontend.sites import SITES
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

BRIEF = {"role": "system", "content": "Build a page."}
REQUEST = next(text for text, (site, _) in known_requests().items() if site.kind == "small bakery")
BAKERY = SITES[0]
OFFICIAL = "Food Blog: A warm design with a header image, a centered logo and a navigational menu. Shades of orange."


def conversation(request, *replies):
    messages = [BRIEF, {"role": "user", "content": request}]
    for reply in replies:
        messages += [{"role": "assistant", "content": "…"}, {"role": "user", "content": reply}]
    return messages


def plan_after(*replies, request=REQUEST):
    draft = first_draft(request)
    for reply in replies:
        draft.revise(statements(reply))
    return draft.plan


def page_after(*replies, request=OFFICIAL):
    return extract_page(Designer(9).act(conversation(request, *replies)))


# The policy


@pytest.mark.parametrize("rounds", [0, 1, 3])
@pytest.mark.parametrize("request_", [REQUEST, OFFICIAL])
def test_it_proposes_and_then_answers(rounds, request_):
    replies = []
    for _ in range(rounds):
        action = parse_action(Designer(rounds).act(conversation(request_, *replies)), FRONTEND)
        assert action.answer is None
        assert extract_page(action.speech)
        replies.append("Hm.")
    action = parse_action(Designer(rounds).act(conversation(request_, *replies)), FRONTEND)
    assert extract_page(action.answer) == extract_page(action.speech)


def test_it_answers_when_told_that_all_is_right():
    said = Designer(9).act(conversation(REQUEST, "The page should be very dark grey.", say([Statement("right")])))
    assert parse_action(said, FRONTEND).answer
    assert "bg-gray-900" in extract_page(said)


def test_it_depends_on_the_messages_only():
    tasks = GeneratedFrontendTasks("test")
    for index in range(24):
        request = tasks.at(index).description
        messages = conversation(request, "That is not it.", "I don't know.")
        assert Designer(5).act(messages) == Designer(5).act(messages)
        assert Designer(5).act(messages).endswith(Designer(5).act(messages[:2])[-200:])


@pytest.mark.parametrize("spec", ["designer", "designer:", "designer:-1", "designer:two", "designer:1.5", "designer:²"])
def test_a_bad_number_of_rounds_is_refused(spec):
    with pytest.raises(UsageError, match="designer:K"):
        make_policy(spec)
    assert make_policy("designer:12") == Designer(12)
    with pytest.raises(UsageError, match="at least 0"):
        Designer(-1)


# Sentences of the scripted human about a known site


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("The page should be very dark grey, yours is white.", {"ground": "dark"}),
        ("The page should be very pale pink, yours is white.", {"ground": "tinted", "accent": "pink"}),
        ("The page should be pale grey, yours is white.", {"ground": "grey"}),
        ("The header should be dark purple, yours is white.", {"header": "accent", "accent": "purple", "depth": "deep"}),
        ("The header should be black, yours is white.", {"header": "dark"}),
        ("The background behind “Breads” should be black, yours is white.", {"header": "dark"}),
        ("The heading “Our Breads” should be dark red, yours is blue.", {"accent": "red", "depth": "deep"}),
        ("The background behind “Real flour, real time” should be green, yours is white.", {"hero": "banner"}),
        ("The heading should say “Real flour, real time”, yours says “Bread worth getting up for”.", {"headline": 2}),
        ("The heading should say “Fresh Today”, yours says “Our Breads”.", {"titles": 2}),
        ("The heading “Kind Words” is missing, it belongs below “Spelt loaf”.", {"sections": ("cards", "quotes", "story")}),
        ("The text “Our Story” should go.", {"sections": ("cards",)}),
        (
            "The heading “About Us” should go. The heading “Our Story” is missing, it belongs below “Rye”.",
            {"sections": ("cards", "story"), "titles": 1},
        ),
        ("The heading “About Us” should be above the heading “Our Breads”, yours is below it.", {"sections": ("story", "cards")}),
        ("The heading “Brioche” is missing. “Rye” and “Brioche” should be in 2 columns.", {"cards": 4, "columns": 2}),
        ("The heading “Brioche” is missing, it belongs to the right of “Spelt loaf”.", {"cards": 4, "columns": 4}),
        ("The heading “Brioche” is missing, it belongs below “Baguette”.", {"cards": 4, "columns": 2}),
        ("The heading “Cinnamon roll” is missing.", {"cards": 6, "columns": 3}),
        ("The heading “Spelt loaf” should go.", {"cards": 2, "columns": 2}),
        ("The button “Order a loaf” should go.", {"button": None}),
        ("The button “Order a loaf” should be to the right of “Visit”, yours is below it.", {"button": "header"}),
        ("The button “Order a loaf” should have a blue border, yours has no border.", {"button": "outlined"}),
        ("The first picture should go.", {"hero": "plain"}),
        ("The first picture should be to the left of “Bread worth getting up for”.", {"hero": "picture left"}),
        ("A picture is missing, it belongs above “Rye”.", {"pictures": True}),
        ("The corners of the button “Order a loaf” should be fully round, yours are rounded.", {"corners": "round"}),
        ("The heading “Our Breads” should be centred, yours is aligned left.", {"align": "center"}),
        ("The footer should go.", {"footer": None}),
        ("The footer should be white, yours is black.", {"footer": "columns"}),
        ("The footer should be blue, yours is black.", {"footer": "accent"}),
    ],
)  # fmt: skip
def test_a_sentence_changes_the_plan(reply, wanted):
    before, after = plan_after(), plan_after(reply)
    assert "unread" not in [one.kind for one in read_statements(reply)], reply
    assert {key: getattr(after, key) for key in wanted} == wanted
    assert before != after


def test_what_it_does_not_know_changes_nothing():
    replies = [
        "The text “Quantum pasta” is missing.",
        "I don't know.",
        "The first blank box should be red.",
        "",
        "…",
        "“”",
    ]
    assert plan_after(*replies) == plan_after()


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.kind)
def test_every_text_is_known_by_its_beginning(site):
    name = site.names[0]
    assert spot_of(" ".join(site.story.split()[:8]) + " …", site, name).part == "story"
    assert spot_of(site.offers[3][0], site, name) == spot_of(site.offers[3][1], site, name)
    for title in site.offer_titles:
        assert spot_of(title.upper(), site, name).role == "title"
    assert spot_of("nothing of the kind", site, name) is None


# Free words


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("I'd like the whole page on a dark grey background please", {"ground": "dark"}),
        ("Could you make the header black", {"header": "dark"}),
        ("Please add a section called 'Reviews' below 'Rye'", {"sections": ("cards", "quotes", "story"), "titles": 1}),
        ('You can remove the "About Us" part', {"sections": ("cards",)}),
        ("The photo should be on the left side", {"hero": "picture left"}),
        ("There should be no picture at all", {"hero": "plain"}),
        ("Please include 'Brioche'. I imagine the cards in two columns", {"columns": 2, "cards": 4}),
        ("The headings are centered on mine", {"align": "center"}),
        ("Everything has pill shaped buttons", {"corners": "round"}),
    ],
)
def test_free_words_are_searched_for_what_is_known(reply, wanted):
    after = plan_after(reply)
    assert {key: getattr(after, key) for key in wanted} == wanted


def test_praise_ends_the_dialogue_and_doubt_does_not():
    assert [one.kind for one in guess_statements("That looks great to me!")] == ["right"]
    assert guess_statements("It almost looks right, but not quite") == ()


# Pages of any kind


def test_the_first_page_follows_the_request():
    page = page_after()
    assert "Food Blog" in page
    assert "<img" in page
    assert "Home" in page


def test_official_pages_grow_by_what_is_said():
    replies = [
        "The heading “Our Recipes” is missing, it belongs below “Welcome to Food Blog”.",
        "The text “Soup for rainy days and other …” of about 12 words is missing, it belongs below “Our Recipes”.",
        "The page should be pale yellow, yours is white. The button “Read” is missing, it belongs to the right of “Our Recipes”.",
        "The link “Home” should go. The heading “Our Recipes” should be red, yours is black.",
        "The letters of the heading “Our Recipes” should be about twice as large.",
        "The heading “Welcome to Food Blog” should be centred, yours is aligned left.",
    ]
    pages = [page_after(*replies[:n]) for n in range(len(replies) + 1)]
    assert all(before != after for before, after in itertools.pairwise(pages))
    last = pages[-1]
    assert "Home" not in last
    assert last.index("Welcome to") < last.index("Our Recipes") < last.index("Read") < last.index("Soup for rainy days")
    assert "font-size: 48px" in last
    assert "text-align: center" in last


def test_any_statement_about_anything_leaves_a_page():
    subjects = [
        Subject("page"),
        Subject("header"),
        Subject("picture", ordinal=3),
        Subject("heading", "Food Blog"),
        None,
    ]
    wanted = [
        "dark blue",
        "4 columns",
        "30 pixels further left",
        "half",
        "centred",
        "at the top",
        "below",
        "bold",
        "17",
    ]
    kinds = ["missing", "unwanted", "wording", "length", "place", "columns", "color", "shade", "font", "bold", "align"]
    kinds += ["shift", "gap", "width", "height", "corners", "border", "role", "count", "order", "right", "unknown"]
    numeric = {"columns": "4 columns", "length": "17", "shift": "30 pixels further left", "gap": "30 pixels"}
    numeric |= {"height": "30 pixels", "count": "3 pictures", "color": "dark blue"}
    for request in (REQUEST, OFFICIAL):
        draft = first_draft(request)
        for kind, subject, words in itertools.product(kinds, subjects, wanted):
            said = Statement(
                kind, subject, numeric.get(kind, words), other=subjects[3], items=(Subject("link", "Home"),)
            )
            draft.revise([said])
            assert extract_page(draft.html()) == draft.html()


def test_texts_are_escaped():
    assert "<b>" not in page_after("The heading “<b>Bold</b>” is missing.")


# With the real human


def test_each_round_is_a_proposal_that_could_have_been_the_answer():
    replies = ["The page should be very dark grey.", "The footer should go.", "The first picture should go."]
    for rounds in range(4):
        asked = conversation(REQUEST, *replies[:rounds])
        assert extract_page(Designer(rounds).act(asked)) == extract_page(Designer(9).act(asked))


@pytest.mark.browser
def test_talking_makes_pages_better(renderer):
    similarity, critic = LayoutSimilarity(renderer), PageCritic()
    scores = []
    for index in range(8):
        task = GeneratedFrontendTasks("validation").at(index)
        episode = Episode(FRONTEND, task.description)
        scores.append([])
        while not episode.over:
            episode.say("agent", Designer(8).act((BRIEF, *episode.dialogue.messages("agent"))))
            scores[-1].append(similarity.grade(task, episode.page).score)
            if not episode.over:
                episode.say("human", critic.reply(task, episode.dialogue, shown(renderer, task, episode.dialogue)))
        scores[-1] += [scores[-1][-1]] * (9 - len(scores[-1]))
    zero, one, three, eight = (sum(row[rounds] for row in scores) / len(scores) for rounds in (0, 1, 3, 8))
    assert zero + 0.2 < one
    assert one + 0.1 < three
    assert 0.9 < three <= eight
    assert eight > 0.98


@pytest.mark.browser
def test_talking_makes_official_pages_better(renderer, official_data):
    similarity, critic = LayoutSimilarity(renderer), PageCritic()
    tasks = load_tasks(official_data / "frontend_tasks.jsonl", "frontend")
    first, last = [], []
    for index in range(6):
        task = tasks.at(index)
        episode = Episode(FRONTEND, task.description)
        while not episode.over:
            episode.say("agent", Designer(8).act((BRIEF, *episode.dialogue.messages("agent"))))
            score = similarity.grade(task, episode.page).score
            if episode.dialogue.count("agent") == 1:
                first.append(score)
            if not episode.over:
                episode.say("human", critic.reply(task, episode.dialogue, shown(renderer, task, episode.dialogue)))
        last.append(score)
    assert sum(last) > sum(first) + 0.1 * len(first)

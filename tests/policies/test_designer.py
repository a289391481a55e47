"""The scripted designer: what it understands, that it learns from messages only, and that talking makes pages better."""

import itertools

import pytest
from support.shown_pages import shown
from support.tables import cases, values

from colbench_gym import FRONTEND, Episode, UsageError, load_tasks, make_policy
from colbench_gym.action import extract_page, parse_action
from colbench_gym.graders.layout_similarity import LayoutSimilarity
from colbench_gym.humans.page.human import PageHuman
from colbench_gym.page_language.sentences import read_statements, say
from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.policies.designer import Designer, page_after
from colbench_gym.policies.designer.brief import first_page
from colbench_gym.policies.designer.evidence import Evidence, agreement
from colbench_gym.policies.designer.free_draft import FreeDraft
from colbench_gym.policies.designer.free_words import guess_statements
from colbench_gym.policies.designer.search import features_of
from colbench_gym.policies.designer.things import Features, columns_of, relation
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

BRIEF = {"role": "system", "content": "Build a page."}
REQUEST = (
    "Small bakery: a calm page with packages to choose from and testimonials. I see it on a dark background and in shades "
    "of green. It should make people hungry. The name is Harbour Bakery."
)
OFFICIAL = "Food Blog: A warm design with a header image, a centered logo and a navigational menu. Shades of orange."


def conversation(request, *replies):
    messages = [BRIEF, {"role": "user", "content": request}]
    for reply in replies:
        messages += [{"role": "assistant", "content": "…"}, {"role": "user", "content": reply}]
    return messages


def after(*replies, request=REQUEST):
    return page_after(request, replies)[0]


def official_after(*replies, request=OFFICIAL):
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
    said = Designer(9).act(conversation(REQUEST, "The page should be white.", say([Statement("right")])))
    assert parse_action(said, FRONTEND).answer
    assert "bg-white" in extract_page(said)


@pytest.mark.slow
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


# What a request tells


def test_a_request_is_read_for_what_it_tells():
    page = first_page(REQUEST)
    assert (page.domain.key, page.name) == ("bakery", "Harbour Bakery")
    assert (page.look.hue, page.look.ground) == ("green", "dark")
    assert [section.kind for section in page.sections] == ["plans", "quotes"]
    assert first_page(OFFICIAL) is None


@pytest.mark.parametrize("split", ["test", "test_domains"])
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_every_generated_request_is_recognised(split, difficulty):
    tasks = GeneratedFrontendTasks(split, difficulty)
    for index in range(40):
        member = tasks.member(index)
        page = first_page(member.description)
        assert page.domain is member.page.domain
        assert page.name == member.page.name or member.page.name not in member.description


# Sentences of the scripted human about a generated page


def kinds(page):
    return [section.kind for section in page.sections]


@pytest.mark.parametrize(("reply", "holds"), values(__file__, "sentences_that_change_a_page.txt", {"kinds": kinds}))
def test_a_sentence_changes_the_page(reply, holds):
    assert "unread" not in [statement.kind for statement in read_statements(reply)], reply
    assert not holds(after())
    assert holds(after(reply))


def test_what_was_said_before_still_counts():
    first, second = "The page should be white, yours is very dark grey.", "The footer should go."
    page = after(first, second)
    assert (page.look.ground, page.footer) == ("white", "none")


def test_what_it_does_not_know_changes_nothing():
    for reply in ("The text “Quantum pasta” is missing.", "I don't know.", "", "…", "“”"):
        assert after(reply) == after()


def test_it_asks_what_pages_differ_in_most():
    assert "?" in Designer(3).act(conversation(REQUEST))
    assert "?" not in Designer(3).act(conversation(OFFICIAL)).split("<html>")[0]


def test_things_are_read_off_the_elements():
    page = GeneratedFrontendTasks("test").member(0).page
    things = Features(page)
    headline = things.find(page.domain.headlines[page.headline])
    assert headline.kind == "heading"
    assert relation(things.find(page.name), headline) == "above"
    assert columns_of([headline]) == 1


# Free words


def test_free_words_are_searched_for_what_is_known():
    assert after("I'd like the whole page on a white background please").look.ground == "white"
    assert after("Please add a section called 'Gallery'") != after()


def test_praise_ends_the_dialogue_and_doubt_does_not():
    assert [one.kind for one in guess_statements("That looks great to me!")] == ["right"]
    assert guess_statements("It almost looks right, but not quite") == ()


# Pages of any kind


def test_the_first_page_follows_the_request():
    page = official_after()
    assert "Food Blog" in page
    assert "<img" in page
    assert "Home" in page


def test_official_pages_grow_by_what_is_said():
    replies = cases(__file__, "replies")
    pages = [official_after(*replies[:n]) for n in range(len(replies) + 1)]
    assert all(before != after for before, after in itertools.pairwise(pages))
    last = pages[-1]
    assert "Home" not in last
    assert last.index("Welcome to") < last.index("Our Recipes") < last.index("Read") < last.index("Soup for rainy days")
    assert "font-size: 48px" in last
    assert "text-align: center" in last


def test_any_statement_about_anything_leaves_a_page():
    subjects = [
        Subject("page"), Subject("header"), Subject("picture", ordinal=3), Subject("heading", "Food Blog"), None,
    ]  # fmt: skip
    wanted = [
        "dark blue", "4 columns", "30 pixels further left", "half", "centred", "at the top", "below", "bold", "17",
    ]  # fmt: skip
    kinds = ["missing", "unwanted", "wording", "length", "place", "columns", "color", "shade", "font", "bold", "align"]
    kinds += ["shift", "gap", "width", "height", "corners", "border", "role", "count", "order", "right", "unknown"]
    numeric = {"columns": "4 columns", "length": "17", "shift": "30 pixels further left", "gap": "30 pixels"}
    numeric |= {"height": "30 pixels", "count": "3 pictures", "color": "dark blue"}
    draft = FreeDraft.of(OFFICIAL)
    for kind, subject, words in itertools.product(kinds, subjects, wanted):
        said = Statement(kind, subject, numeric.get(kind, words), other=subjects[3], items=(Subject("link", "Home"),))
        draft.revise([said])
        assert extract_page(draft.html()) == draft.html()
        assert agreement(features_of(first_page(REQUEST)), [Evidence(said, features_of(first_page(REQUEST)))]) <= 9


def test_texts_are_escaped():
    assert "<b>" not in official_after("The heading “<b>Bold</b>” is missing.")


# With the real human


def test_each_round_is_a_proposal_that_could_have_been_the_answer():
    replies = ["The page should be very dark grey.", "The footer should go.", "The first picture should go."]
    for rounds in range(4):
        asked = conversation(REQUEST, *replies[:rounds])
        assert extract_page(Designer(rounds).act(asked)) == extract_page(Designer(9).act(asked))


@pytest.mark.full
@pytest.mark.browser
def test_talking_makes_pages_better(renderer):
    similarity, critic = LayoutSimilarity(renderer), PageHuman()
    scores = []
    for index in range(4):
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
    assert zero + 0.05 < one
    assert one + 0.05 < three
    assert three + 0.02 < eight
    assert eight > 0.6


@pytest.mark.full
@pytest.mark.browser
def test_talking_makes_official_pages_better(renderer, official_data):
    similarity, critic = LayoutSimilarity(renderer), PageHuman()
    tasks = load_tasks(official_data / "frontend_tasks.jsonl", "frontend")
    first, last = [], []
    for index in range(3):
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

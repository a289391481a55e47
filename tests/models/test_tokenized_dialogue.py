"""Token ids and agent masks against tensors written by hand, on templates of every kind there is."""

import dataclasses
import json

import pytest
from support.official_training import kept_tokens
from support.tables import program
from support.tiny import CHATML, make_tokenizer, make_trajectory

from colbench_gym.dialogue import ChatMessage, Dialogue, Turn
from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judges import PRIVILEGED_PREFIX
from colbench_gym.models.tokenized_dialogue import agent_turns, tokenize_dialogues
from colbench_gym.prompts import Prompts

pytestmark = pytest.mark.train

WORDS = ["<pad>", "<eos>", "<", ">", "system", "user", "assistant", "B", "Hi", "A", "b", "C", "D", "t", "OUTPUT:", "I"]
PAD, EOS, OPEN, CLOSE, SYSTEM, USER, AGENT, B, HI, A, LOW_B, C, D, T, OUT, _ = range(16)
LINE_TEMPLATE = "{% for m in messages %}< {{ m.role }} {{ m.content }} > {% endfor %}{% if add_generation_prompt %}< assistant {% endif %}"
PROMPTS = Prompts(agent="B", human="")


@pytest.fixture
def words():
    """One token a word, so that a person can write the expected ids."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="<pad>"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<pad>", eos_token="<eos>", additional_special_tokens=["<", ">"]
    )
    tokenizer.chat_template = LINE_TEMPLATE
    return ChatTokens(tokenizer)


def spoken(*texts, opening="Hi"):
    trajectory = make_trajectory([text for text, _ in texts], [reply for _, reply in texts])
    human = Turn("human", opening)
    return dataclasses.replace(trajectory, dialogue=Dialogue((human, *trajectory.dialogue.turns[1:])))


def test_one_row_by_hand(words):
    dialogue = words.rows(agent_turns(spoken(("A b", "C"), ("D", "")), PROMPTS))
    (row,) = dialogue.rows
    # fmt: off
    assert row.ids == (
        OPEN, SYSTEM, B, CLOSE, OPEN, USER, HI, CLOSE, OPEN, AGENT, A, LOW_B, CLOSE, OPEN, USER, C, CLOSE, OPEN, AGENT, D, CLOSE,
    )
    assert row.turns == (-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, -1, -1, -1, -1, -1, -1, 1, 1)
    assert row.mask == (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1)
    # fmt: on
    assert row.spans == ((0, 10, 13), (1, 19, 21))
    assert dialogue.agent_ids == (A, LOW_B, CLOSE, D, CLOSE)


def test_hidden_thoughts_start_a_new_row_by_hand(words):
    dialogue = words.rows(agent_turns(spoken(("t OUTPUT: A", "C"), ("D", "")), PROMPTS))
    first, second = dialogue.rows
    # fmt: off
    assert first.ids == (OPEN, SYSTEM, B, CLOSE, OPEN, USER, HI, CLOSE, OPEN, AGENT, T, OUT, A, CLOSE)
    assert first.turns == (-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0)
    assert second.ids == (
        OPEN, SYSTEM, B, CLOSE, OPEN, USER, HI, CLOSE, OPEN, AGENT, A, CLOSE, OPEN, USER, C, CLOSE, OPEN, AGENT, D, CLOSE,
    )
    assert second.turns == (-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 1)
    # fmt: on


def test_sampled_ids_are_kept(words):
    turns = agent_turns(spoken(("A b", "C"), ("D", "")), PROMPTS)
    (row,) = words.rows(turns, sampled={0: (LOW_B, LOW_B, A, CLOSE)}).rows
    assert row.ids[10:14] == (LOW_B, LOW_B, A, CLOSE)
    assert row.turns[9:15] == (-1, 0, 0, 0, 0, -1)
    assert row.ids[14:] == (OPEN, USER, C, CLOSE, OPEN, AGENT, D, CLOSE)


def with_ids(trajectory, *ids):
    """Return a dialogue whose agent turns come with these ids."""
    given = iter(ids)
    turns = [
        dataclasses.replace(t, token_ids=next(given)) if t.seat == "agent" else t for t in trajectory.dialogue.turns
    ]
    return dataclasses.replace(trajectory, dialogue=Dialogue(tuple(turns)))


@pytest.mark.parametrize(
    "texts", [[("What is x?", "A number."), ("end", "")], [("I think.\nOUTPUT: Why?", "So."), ("end", "")]]
)
def test_recorded_ids_are_what_is_trained_on(texts):
    """One token a byte: the same text in other tokens. In the history a hidden thought is left out, ids or not."""
    tokens = ChatTokens(make_tokenizer())
    one, vocabulary = spoken(*texts), tokens.tokenizer.get_vocab()
    anew = [tokens.turn_ids(text) for text, _ in texts]
    bytewise = [
        (*(vocabulary[c.replace(" ", "\u0120").replace("\n", "\u010a")] for c in text), *tokens.end_ids)
        for text, _ in texts
    ]
    (plain,), counts = tokenize_dialogues([one], tokens, 500, PROMPTS)
    assert counts.sampled_turns == 0
    for ids in (anew, [said[:-1] for said in anew], [(*said[:-1], tokens.tokenizer.eos_token_id) for said in anew]):
        (same,), counts = tokenize_dialogues([with_ids(one, *ids)], tokens, 500, PROMPTS)
        assert same == plain  # so the loss is equal too
        assert counts.sampled_turns == 2
    (kept,), counts = tokenize_dialogues([with_ids(one, *bytewise)], tokens, 500, PROMPTS)
    assert bytewise != anew
    assert kept.agent_ids == (*bytewise[0], *bytewise[1])
    assert len(kept.rows) == len(plain.rows) == (2 if "OUTPUT" in texts[0][0] else 1)
    assert tokens.text(kept.rows[-1].ids) == tokens.text(plain.rows[-1].ids)


def test_ids_of_another_tokenizer_are_tokenized_anew():
    tokens = ChatTokens(make_tokenizer())
    one = spoken(("What is x?", "A number."), ("end", ""))
    others = (tokens.turn_ids("What is y?"), (*tokens.turn_ids("end")[:-1], 10**6))
    assert (
        tokenize_dialogues([with_ids(one, *others)], tokens, 500, PROMPTS)[0]
        == tokenize_dialogues([one], tokens, 500, PROMPTS)[0]
    )


def test_too_long_is_dropped_and_counted_never_cut(words):
    short, long = spoken(("A", "")), spoken(("A b", "C"), ("D", ""))
    kept, counts = tokenize_dialogues([short, long], words, max_tokens=20, prompts=PROMPTS)
    assert kept[1] is None
    assert kept[0] is not None
    assert (counts.dialogues, counts.too_long, counts.rows, counts.agent_tokens) == (2, 1, 1, 2)
    kept, counts = tokenize_dialogues([short, long], words, max_tokens=21, prompts=PROMPTS)
    assert kept[1] is not None
    assert kept[1].longest == 21


TEMPLATES = {"chatml": CHATML, **json.loads(program(__file__, "templates.json"))}
DIALOGUES = [
    [("What is x?", "A number."), ("I WANT TO ANSWER: def f(x):\n  return x\n", "")],
    [("I think.\nOUTPUT:\nWhy?", "Because."), ("  spaces  ", " and "), ("", ""), ("end", "")],
    [("<|im_end|> said the agent", "<|im_start|>user"), ("Ünïcode ✓", "é")],
]


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("texts", DIALOGUES)
@pytest.mark.parametrize("privileged", [False, True])
def test_every_agent_token_stands_behind_what_the_model_saw(name, texts, privileged):
    tokens = ChatTokens(make_tokenizer(TEMPLATES[name]))
    turns = agent_turns(spoken(*texts, opening="Write f(x)."), PROMPTS, privileged)
    dialogue = tokens.rows(turns)
    seen = {}
    for row in dialogue.rows:
        for number, start, end in row.spans:
            assert set(row.turns[start:end]) == {number}
            seen[number] = (row.ids[:start], row.ids[start:end])
    assert sorted(seen) == list(range(len(texts)))
    for number, (messages, text) in enumerate(turns):
        context, said = seen[number]
        assert context == tokens.prompt_ids(messages)
        assert said == tokens.turn_ids(text)
        assert tokens.tokenizer.decode(context) == tokens._render(
            tuple((m["role"], m["content"]) for m in messages)
        ) or name.startswith("no special")
        assert said[-1] == tokens.stop_id


def test_one_row_where_nothing_is_hidden_and_one_a_turn_where_the_template_rewrites():
    turns = agent_turns(spoken(("What is x?", "A number."), ("Why?", "So."), ("end", "")), PROMPTS)
    for name, rows in (("chatml", 1), ("no system role", 1), ("the next role ends a turn", 1)):
        assert len(ChatTokens(make_tokenizer(TEMPLATES[name])).rows(turns).rows) == rows, name
    assert (
        len(ChatTokens(make_tokenizer(TEMPLATES["opens a thought that history does not keep"])).rows(turns).rows) == 3
    )


def test_no_second_beginning_mark():
    tokens = ChatTokens(make_tokenizer(TEMPLATES["trims, with a beginning mark"]))
    ids = tokens.prompt_ids([ChatMessage(role="user", content="x")])
    assert ids.count(tokens.tokenizer.convert_tokens_to_ids("<|bos|>")) == 1


def test_the_reference_is_in_the_critics_rows_and_never_in_the_actors(tokenizer):
    tokens = ChatTokens(tokenizer)
    trajectory = make_trajectory(["What?", "I WANT TO ANSWER: 1"], task="7", recorded=True)

    def text(privileged):
        return "".join(tokenizer.decode(r.ids) for r in tokens.rows(agent_turns(trajectory, None, privileged)).rows)

    assert "SECRET_7" in text(True)
    assert PRIVILEGED_PREFIX[:20] in text(True)
    assert "SECRET_7" not in text(False)
    assert PRIVILEGED_PREFIX[:20] not in text(False)


def test_a_recorded_brief_is_used_and_a_prompt_of_another_shape_is_not():
    trajectory = make_trajectory(["What?", "end"], recorded=True)
    own = tuple(
        ChatMessage(role=m["role"], content=m["content"] + " (mine)") for m in trajectory.dialogue.turns[1].input
    )
    first, second, *rest = trajectory.dialogue.turns
    mine = dataclasses.replace(trajectory, dialogue=Dialogue((first, dataclasses.replace(second, input=own), *rest)))
    assert agent_turns(mine)[0][0] == own
    text = (ChatMessage(role="user", content="<|im_start|>the whole prompt as text"),)
    odd = dataclasses.replace(trajectory, dialogue=Dialogue((first, dataclasses.replace(second, input=text), *rest)))
    assert agent_turns(odd)[0][0] == agent_turns(make_trajectory(["What?", "end"]))[0][0]


def test_no_chat_template_says_what_to_do():
    with pytest.raises(UsageError, match=r"no chat template.*--chat-template"):
        ChatTokens(make_tokenizer(None))


def test_no_end_of_turn_says_what_to_do():
    tokenizer = make_tokenizer(TEMPLATES["no special token at the end of a turn"])
    tokenizer.eos_token = None
    with pytest.raises(UsageError, match="set its eos_token"):
        ChatTokens(tokenizer)


def test_the_released_critic_reads_one_text_whose_turns_are_found_by_marks():
    """As the official data set class does it (facts in tests/support/official_training.py), with c in front of all."""
    tokenizer = make_tokenizer("{{ '<|bos|>' }}" + CHATML)
    tokenizer.eos_token = "<|im_end|>"
    tokens = ChatTokens(tokenizer)
    trajectory = make_trajectory(["Hm. OUTPUT: What is x?", "I WANT TO ANSWER: end\n"], ["A number."])
    (made,), _ = tokenize_dialogues([trajectory], tokens, 10_000, privileged=True, released=True)
    (row,) = made.rows
    messages, said = agent_turns(trajectory)[-1]
    front = PRIVILEGED_PREFIX.replace("{reference}", trajectory.task.reference)
    ids, mask = kept_tokens(tokenizer, front + tokens.prompt_text(messages) + said, "<|im_start|>assistant")
    assert (list(row.ids), list(row.mask)) == (ids, mask)
    assert [turn for turn, _, _ in row.spans] == [0, 1]
    assert tokenizer.decode(row.ids[row.spans[0][1] : row.spans[0][2]]) == "\n What is x?<|im_end|>"
    assert tokenizer.decode(row.ids).startswith(front + "<|bos|>")


def test_a_template_without_marks_cannot_be_trained_the_released_way(words):
    words.tokenizer.chat_template = "{% for m in messages %}{{ m.content }} > {% endfor %}"
    with pytest.raises(UsageError, match=r"no marks around an agent's turn.*--recipe paper"):
        ChatTokens(words.tokenizer).marked_row([{"role": "user", "content": "Hi"}], "A")

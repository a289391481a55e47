"""What the training tests are made of: a tiny tokenizer and model, and dialogues played on the spot."""

import dataclasses

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CORPUS = [
    "Write a Python function f(x) that returns twice x. The signature of the function is: def f(x):",
    "What should happen for empty input? OUTPUT: What is the range? I WANT TO ANSWER: def f(x): return 2 * x",
    "You are a programmer. A person needs one Python function and has described it only roughly.",
]


def make_tokenizer(template: str | None = CHATML):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    special = ["<|pad|>", "<|eos|>", "<|im_start|>", "<|im_end|>", "<|bos|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(
        CORPUS,
        trainers.BpeTrainer(
            vocab_size=320, special_tokens=special, initial_alphabet=sorted(alphabet), show_progress=False
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<|pad|>", eos_token="<|eos|>", additional_special_tokens=special[2:]
    )
    tokenizer.chat_template = template
    tokenizer.model_max_length = 2048
    return tokenizer


def make_model(tokenizer, seed: int = 0):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=4096, pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id, bos_token_id=None, initializer_range=0.2,
    )  # fmt: skip
    return LlamaForCausalLM(config)


def make_trajectory(texts, replies=(), pass_rate=1.0, task="0", track="backend", recorded=False):
    """A dialogue played through Episode, so that it is what a rollout would have written."""
    from colbench_gym.dialogue import ChatMessage
    from colbench_gym.episode import Episode
    from colbench_gym.prompts import default_prompts
    from colbench_gym.rules import RULES
    from colbench_gym.tasks import BackendTask, FrontendTask
    from colbench_gym.trajectory import Trajectory

    rules = dataclasses.replace(RULES[track], max_turns=len(texts))
    opening, reference = f"Write f{task}(x).", f"def f{task}(x):\n    return SECRET_{task}"
    if track == "backend":
        made = BackendTask(task, opening, reference, (f"f{task}(1)",), ("t",), reference)
    else:
        made = FrontendTask(task, opening, reference)
    episode = Episode(rules, opening)
    brief = ChatMessage(role="system", content=default_prompts(track).agent_brief(rules))
    for at, text in enumerate(texts):
        episode.say("agent", text, input=(brief, *episode.dialogue.messages("agent")) if recorded else None)
        if not episode.over:
            episode.say("human", replies[at] if at < len(replies) else f"Reply {at}.")
    backend = track == "backend"
    return Trajectory(
        task=made, dialogue=episode.dialogue, answer=episode.answer or "", reward=pass_rate, rules=rules,
        outcome=episode.outcome, success=backend and pass_rate == 1.0, pass_rate=pass_rate if backend else None,
        similarity=None if backend else pass_rate,
    )  # fmt: skip


def offline_dialogues(tasks: int = 4):
    """Three dialogues a task, of different lengths: the first succeeds, the others do worse."""
    dialogues = []
    for number in range(tasks):
        name = str(number)
        answer = f"I WANT TO ANSWER: def f{name}(x): return {number} * x"
        dialogues += [
            make_trajectory(["What is x?", answer], ["A number."], 1.0, name),
            make_trajectory(["Why?", "Is x positive or negative?", answer + " + 1"], ["Because.", "Yes."], 0.3, name),
            make_trajectory([f"I WANT TO ANSWER: {number}"], [], 0.0, name),
        ]
    return dialogues

"""A tiny trainable model that says what a test wants in each of its turns, as likely as its own weights leave it."""

from pathlib import Path

TURN_BEGINS = "<|im_start|>assistant\n"
PUSH = 30.0  # added to the logits of the tokens that the script allows; what they share, the weights decide
CONTEXT = 32  # tokens that a step of generation looks back


def tool_tokenizer():
    """A tiny tokenizer with a template that renders tool calls, as TRL ships it."""
    import trl
    from support.tiny import make_tokenizer

    template = Path(trl.__file__).parent / "chat_templates" / "qwen3_instruct_2507.jinja"
    return ends_turns(make_tokenizer(template.read_text("utf-8")))


def ends_turns(tokenizer):
    """The tokenizer with the end of a turn as its end of sequence, as instruct models have it."""
    tokenizer.eos_token = "<|im_end|>"
    tokenizer.model_max_length = 8192
    return tokenizer


def scripted_model(tokenizer, *turns, seed: int = 0):
    """A model that says in its turn N one of the texts ``turns[N]``; the last ones in all later turns."""
    import torch
    from support.tiny import make_model
    from transformers import LlamaForCausalLM

    def ids(text):
        return tokenizer.encode(text, add_special_tokens=False)

    def chars(tokens):
        return "".join(map(chr, tokens))  # a string is searched faster than a list

    begins = chars(ids(TURN_BEGINS))
    scripts = [[[*ids(text), tokenizer.eos_token_id] for text in texts] for texts in turns]

    def allowed(row, end):
        """The tokens that may follow the first ``end`` ones of a row."""
        before = row[:end]
        turn = before.count(begins) - 1
        if turn < 0:
            return []
        said = [ord(char) for char in before[before.rfind(begins) + len(begins) :]]
        texts = scripts[min(turn, len(scripts) - 1)]
        return [text[len(said)] for text in texts if text[: len(said)] == said and len(said) < len(text)]

    class Scripted(LlamaForCausalLM):
        def forward(self, input_ids=None, logits_to_keep=0, **options):
            if isinstance(logits_to_keep, int) and logits_to_keep == 1:  # a step of generation: a few words do
                out = super().forward(input_ids=input_ids[:, -CONTEXT:], logits_to_keep=1)
            else:
                out = super().forward(input_ids=input_ids, logits_to_keep=logits_to_keep, **options)
            push = torch.zeros_like(out.logits)
            for number, row in enumerate(map(chars, input_ids.tolist())):
                for at in range(push.shape[1]):
                    push[number, at, allowed(row, len(row) - push.shape[1] + at + 1)] = PUSH
            out.logits = out.logits + push
            return out

    plain = make_model(tokenizer, seed)
    model = Scripted(plain.config)
    model.load_state_dict(plain.state_dict())
    return model

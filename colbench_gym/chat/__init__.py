"""Chat with language models: the ChatModel protocol and its data, an OpenAI client, a cassette, a scripted double."""

from colbench_gym.chat.dialogue_name import count_tokens, current_dialogue, in_dialogue
from colbench_gym.chat.model import (
    FREE,
    ChatModel,
    Completion,
    ImagePart,
    Message,
    Meter,
    Sampling,
    TextPart,
    Usage,
    check_server,
    png_part,
)
from colbench_gym.chat.openai_chat import OpenAIChat
from colbench_gym.chat.options import ChatOptions, read_json_object
from colbench_gym.chat.recorded import RecordedChat, RecordingChat
from colbench_gym.chat.scripted import ScriptedChat
from colbench_gym.chat.spec import COMPLETIONS, MODEL_KINDS, MODEL_SPECS, model_name, open_chat

__all__ = [
    "COMPLETIONS", "FREE", "MODEL_KINDS", "MODEL_SPECS", "ChatModel", "ChatOptions", "Completion", "ImagePart",
    "Message", "Meter", "OpenAIChat", "RecordedChat", "RecordingChat", "Sampling", "ScriptedChat", "TextPart", "Usage",
    "check_server", "count_tokens", "current_dialogue", "in_dialogue", "model_name", "open_chat", "png_part",
    "read_json_object",
]  # fmt: skip

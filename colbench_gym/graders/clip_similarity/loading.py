"""Load the half of a CLIP model that sees, and name it by what its numbers are made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colbench_gym.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import torch

SCORING = "1"  # version of what is done around the model; changes with any change of a score
PURPOSE = "the similarity 'clip'"
_ARCHITECTURES = ("clip", "clip_vision_model")
_SIZES = {(768, 12): "base", (1024, 24): "large", (1280, 32): "huge"}  # (width, layers) of vision transformers
_SHAPING = ("hidden_act", "image_size", "layer_norm_eps", "num_attention_heads", "patch_size")  # besides the weights
_PREPARING = (
    *("do_convert_rgb", "do_resize", "size", "resample", "do_center_crop", "crop_size"),
    *("do_rescale", "rescale_factor", "do_normalize", "image_mean", "image_std"),
)
_PACKAGES = {"PIL": "pillow", "torch": "torch"}
_DIGEST_BYTES = 6


@dataclass(frozen=True, eq=False)
class LoadedClip:
    """The parts that turn a picture into an embedding.

    Attributes:
        vision: the vision transformer.
        projection: from its output to the embedding.
        processor: from a picture to pixels as the model wants them.
        device: where the weights are.
        name: ``clip-SIZE-VERSION-HASH``: models with other weights or another preparation have other names.
    """

    vision: Any  # Any: transformers has no types here
    projection: Any
    processor: Any
    device: torch.device
    name: str


def load_clip(model: str, device: str | None = None) -> LoadedClip:
    """Load a model from a folder or the hub, in 32 bits.

    Pictures are prepared by Pillow also where torchvision is installed, whose resizing differs: one model, one score.

    Args:
        model: a folder that ``save_pretrained`` wrote, or a name on the hub.
        device: such as ``cpu`` or ``cuda:1``; None takes the fastest that there is.

    Raises:
        MissingExtraError: torch, transformers or Pillow is not installed.
        UsageError: there is no such model, it is no CLIP model, lacks weights, or there is no such device.
    """
    try:
        import PIL  # noqa: F401  needed by the processor
        import torch
        import transformers
        from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
    except ImportError as e:
        raise MissingExtraError.of(_PACKAGES.get(e.name or "", "transformers"), "clip", PURPOSE) from e
    where = _device(device)
    try:
        config: Any = transformers.AutoConfig.from_pretrained(model)  # Any: one class for each architecture
        if config.model_type not in _ARCHITECTURES:
            raise UsageError(
                f"{model!r} is of the kind {config.model_type!r}; expected a CLIP model, such as "
                "'openai/clip-vit-base-patch32'"
            )
        processor = CLIPImageProcessorPil.from_pretrained(model)
        builder: Any = (
            transformers.CLIPModel if config.model_type == "clip" else transformers.CLIPVisionModelWithProjection
        )
        with _quietly():
            loaded, report = builder.from_pretrained(model, dtype=torch.float32, output_loading_info=True)
    except UsageError:
        raise
    except (OSError, ValueError, KeyError, RuntimeError) as e:  # RuntimeError: weights of another shape
        reason = str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__
        raise UsageError(
            f"{model!r} cannot be loaded as a CLIP model ({reason}); expected a folder with config.json, weights and "
            "preprocessor_config.json, or a name on the hub; fetch it once with: "
            "hf download openai/clip-vit-base-patch32, or name the folder of a copy: clip:FOLDER"
        ) from e
    missing = sorted(key for key in report["missing_keys"] if key.startswith(("vision_model.", "visual_projection.")))
    if missing:  # transformers would go on with random numbers
        raise UsageError(
            f"{model!r} has no weights for {len(missing)} parts, {missing[0]!r} among them; expected a whole CLIP "
            "model; copy it again"
        )
    vision, projection = loaded.vision_model.eval().to(where), loaded.visual_projection.eval().to(where)
    shape: Any = getattr(config, "vision_config", config)  # Any: as the configuration above
    return LoadedClip(vision, projection, processor, where, _name(vision, projection, processor, shape))


@contextmanager
def _quietly() -> Iterator[None]:
    """Load without a progress bar, which would stand in the middle of a command's own output."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _device(name: str | None) -> torch.device:
    import torch

    if name is None:
        accelerator = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
        return accelerator or torch.device("cpu")
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as e:  # AssertionError: a torch without CUDA was asked for it
        raise UsageError(
            f"no device {name!r} ({str(e).splitlines()[0]}); expected 'cpu', or one that torch finds"
        ) from e
    return device


def _name(vision: Any, projection: Any, processor: Any, shape: Any) -> str:
    """Return the size, the version of the scoring, and a digest of all that a score depends on but the machine."""
    prepared = processor.to_dict()
    settings = {name: prepared.get(name) for name in _PREPARING} | {name: getattr(shape, name) for name in _SHAPING}
    digest = hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=_DIGEST_BYTES)
    for part in (vision, projection):
        for key, tensor in sorted(part.state_dict().items()):
            digest.update(f"{key} {tensor.dtype} {tuple(tensor.shape)}".encode())
            digest.update(memoryview(tensor.cpu().contiguous().reshape(-1).numpy()))
    size = _SIZES.get((shape.hidden_size, shape.num_hidden_layers), f"{shape.hidden_size}x{shape.num_hidden_layers}")
    return f"clip-vit-{size}-patch{shape.patch_size}-{SCORING}-{digest.hexdigest()}"

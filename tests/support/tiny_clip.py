"""A tiny CLIP model: the real classes, random weights."""

SIDE = 32  # pixels of the tiny model's square


def save_model(folder, seed=0, **vision):
    import torch
    from transformers import CLIPConfig, CLIPModel
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(seed)
    small = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = CLIPConfig(
        text_config={**small, "vocab_size": 50, "eos_token_id": 1, "bos_token_id": 0, "pad_token_id": 1},
        vision_config={**small, "image_size": SIDE, "patch_size": 8, "initializer_factor": 20.0, **vision},
        projection_dim=24,
    )
    CLIPModel(config).save_pretrained(folder)
    processor = CLIPImageProcessorPil(size={"shortest_edge": SIDE}, crop_size={"height": SIDE, "width": SIDE})
    processor.save_pretrained(folder)
    return str(folder)

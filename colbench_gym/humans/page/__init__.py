"""The human of the frontend track: what there is on the wanted page, and what of it a draft lacks."""

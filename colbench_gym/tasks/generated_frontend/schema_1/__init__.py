"""Pages of the first schema: twelve sites and ten decisions each, kept so that old results can be repeated."""

"""Endless pages, composed of sites, layouts and palettes."""

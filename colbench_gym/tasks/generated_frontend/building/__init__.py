"""A page as elements with Tailwind classes, built of its data."""

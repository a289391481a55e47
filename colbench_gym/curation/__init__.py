"""Make task files and check them."""

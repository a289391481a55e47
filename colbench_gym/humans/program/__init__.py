"""Facts of a reference program: what it claims, what it gives when it is run, and what it does not do."""

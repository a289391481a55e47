"""Learning what to ask, in minutes: the small Table 2, on real replies and grades that are kept."""

"""Reports about runs: the table of the paper with runs beside it, and their differences from its set-up."""

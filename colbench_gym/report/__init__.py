"""What people read of runs: the table of the paper with runs beside it, and in what they differ from its set-up."""

"""Statistics of runs: intervals clustered by task, several attempts at a task, and how many tasks are enough."""

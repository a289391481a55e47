"""ColBench as Gymnasium and PettingZoo environments."""

"""The environments: Gymnasium (one and many) and PettingZoo, all on the same TaskEpisode."""

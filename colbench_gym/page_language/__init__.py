"""Language about pages, for either seat: statements as data, their sentences, names of colours."""

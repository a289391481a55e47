"""What is said about pages, by either seat: statements as data, their sentences, names of colours."""

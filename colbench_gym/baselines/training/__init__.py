"""Parts that the three algorithms share: options, folder, trainers."""

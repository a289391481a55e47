"""What the three algorithms share: options, folder, trainers."""

"""Say code in English."""

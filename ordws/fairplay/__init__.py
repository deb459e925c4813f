"""Statistics of finished games: numbers, never words, for people who decide. See README.md."""

"""Pairings of a round: who meets whom, who starts, who has the bye, and why. See README.md."""

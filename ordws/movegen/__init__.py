"""All plays of a rack on a position, with their scores. See README.md."""

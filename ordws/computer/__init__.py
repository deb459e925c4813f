"""A computer player: it takes a seat's turns by public words alone. See README.md."""

"""The director's desk and the players' pages of an event, a process of its own. See README.md."""

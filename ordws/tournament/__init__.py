"""Events of many players: state, standings, pairing, certificate. See README.md."""

"""Events as files of other programs: CSV, tsh's `.t`, AUPAIR's `.tou`, a TRF-like text, JSON. See README.md."""

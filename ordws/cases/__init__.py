"""Case files: from a flag to the register, step by step, each step with its actor. See README.md."""

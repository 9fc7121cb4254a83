"""Formulations by name: what each accepts, and the state it starts from."""

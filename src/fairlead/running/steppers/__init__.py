"""Methods that advance the state: tableaux, implicit steps, and steps around loads that live in Python."""

"""Tables of other programs as Datasets that audit and inverse dynamics understand."""

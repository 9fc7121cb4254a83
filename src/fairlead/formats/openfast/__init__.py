"""Results as OpenFAST writes them."""

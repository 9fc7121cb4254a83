"""Controllers as kernels: what each kind gives out, how its states change, and how they move coordinates."""

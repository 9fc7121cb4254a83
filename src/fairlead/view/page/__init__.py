"""The page of a report: what its scene, histories and tables hold, and the file that they make."""

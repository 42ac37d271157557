"""One node a file: decide, call, return what changed."""

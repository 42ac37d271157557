"""The `zhiji` command."""

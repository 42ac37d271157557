"""What the capabilities over a chat model share."""

"""What is kept: user memory, knowledge, vectors, working memory, cache."""

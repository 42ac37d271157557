"""Capabilities as Protocols, embedded and model-backed side by side: answer, rewrite, extract, embed, rerank."""

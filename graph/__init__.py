"""State, context and assembly: the agent graph, and the memory subgraphs for other orchestrations."""

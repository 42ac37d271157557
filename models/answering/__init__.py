"""The parts of answering: what is asked, which words of the sources bear on it, how they are put together and cited."""

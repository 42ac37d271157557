"""Settings, errors, time and text: what every other floor stands on."""

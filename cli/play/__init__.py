"""Playing the patience: a page in the browser and its server, and the same game in the terminal."""

"""The commands of Cuajo."""

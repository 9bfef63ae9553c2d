"""Xiang Shi Fu, the Chinese domino patience."""

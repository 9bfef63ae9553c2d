"""Daifugō, the Japanese climbing card game, with every option of its rules."""

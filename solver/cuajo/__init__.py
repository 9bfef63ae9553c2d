"""Cuajo, the Philippine card game for two pairs of partners: hands, purro and payments."""

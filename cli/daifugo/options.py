"""What the commands of ``xsf daifugo`` share."""

from __future__ import annotations

from cli.common import rules_option_of

daifugo_rules_option = rules_option_of(
    "daifugo",
    "traditional",
    "traditional, president, polish, uecda, 1979, or a TOML file; see xsf daifugo rules.",
)
"""The option ``--rules``."""

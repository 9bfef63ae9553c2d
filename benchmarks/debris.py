"""What the small components of a region are: which groups stand in all their positions.

    python benchmarks/debris.py [--rules RULES] [--layout LAYOUT]

Needs the table of components (`xsf tablebase build`). Figures of data/results/map.md.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from solver.xiangshifu.bonds import locks
from solver.xiangshifu.groups import group_table, group_text
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tablebase import Tablebase

SMALL = 20_000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--layout", default="ten", choices=list(LAYOUTS))
    options = parser.parse_args()
    tablebase = Tablebase(LAYOUTS[options.layout], RuleSet.parse(options.rules))
    known = tablebase.components
    small = np.flatnonzero(known.sizes <= SMALL)
    numbers = np.flatnonzero(np.isin(known.labels, small.astype(np.uint16)))
    positions, labels = tablebase.region.unrank(numbers), known.labels[numbers]
    locked = {group for lock in locks(tablebase.rules, tablebase.layout) for group in lock.groups}
    masks = group_table().masks
    fixed_counts: Counter[int] = Counter()
    groups: Counter[int] = Counter()
    order = np.argsort(labels, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        shared = set(positions[part[0]].tolist())
        for row in positions[part[1:]]:
            shared &= set(row.tolist())
        fixed = {group for group in shared if int(masks[group]) not in locked}
        fixed_counts[min(len(fixed), 11)] += 1
        groups.update(fixed)
    total = sum(fixed_counts.values())
    print(f"rules {options.rules}, layout {options.layout}: {total:,} components of at most {SMALL:,} positions")
    print(f"  {len(numbers):,} positions; {int((known.sizes == 1).sum()):,} components are single positions")
    print(f"  without a fixed group that is no lock: {fixed_counts[0]:,}")
    print("  fixed groups -> components:", " ".join(f"{n}:{fixed_counts[n]}" for n in sorted(fixed_counts)))
    print("  most often fixed:", " ".join(f"{group_text(g)}:{n}" for g, n in groups.most_common(12)))


if __name__ == "__main__":
    main()

"""``xsf graph``."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING

import click

from cli.common import Input, announce_compiling, rules_option
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.rules import RuleSet


@click.group("graph")
def command() -> None:
    """Look at the graphs behind a deal."""


@command.command("matching")
@click.argument("deal_text", metavar="DEAL")
@rules_option
def matching_command(deal_text: str, rules: RuleSet) -> int:
    """Show which invalid groups one exchange could repair two at a time, and the bound that follows."""
    announce_compiling()
    from solver.xiangshifu.graph import matching, repair_graph

    deal = _one_deal(deal_text)
    graph = repair_graph(deal, rules)
    best = matching(deal, rules)
    for place in best.invalid:
        others = " ".join(map(str, sorted(graph[place]))) or "none"
        click.echo(f"{place:3}  {graph.nodes[place]['tiles']:<9} can be repaired together with: {others}")
    pairs = ", ".join(f"{a} and {b}" for a, b in best.pairs) or "none"
    click.echo(f"{len(best.invalid)} invalid groups; most pairs repaired together: {len(best.pairs)} ({pairs})")
    click.echo(f"so at least {best.bound} moves")
    return 0


@command.command("moves")
@click.argument("deal_text", metavar="DEAL")
@rules_option
@click.option("--format", "form", type=click.Choice(["graphml", "json"]), default="graphml", show_default=True)
@click.option("--most", type=click.IntRange(min=1), default=1000, show_default=True, help="Positions to go as far as.")
@click.option("-o", "--output", type=click.File("w", encoding="utf-8"), default="-", help="File to write.")
def moves_command(deal_text: str, rules: RuleSet, form: str, most: int, output: IO[str]) -> int:
    """Export the graph of positions and moves around a deal, breadth first."""
    announce_compiling()
    import networkx as nx

    from solver.xiangshifu.graph import move_graph

    graph = move_graph(_one_deal(deal_text), rules, most=most)
    if form == "graphml":
        output.writelines(f"{line}\n" for line in nx.generate_graphml(graph))
    else:
        json.dump(nx.node_link_data(graph, edges="edges"), output)
        output.write("\n")
    return 0


def _one_deal(text: str) -> Deal:
    given = Input(text, "a deal")
    deals = list(given.deals())
    if given.failed or len(deals) != 1:
        raise InputError(f"need one deal, got {len(deals)}")
    return deals[0]

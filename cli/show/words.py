"""The words of pictures and pages, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.show.goal import goal_head
from cli.show.scene import Group, Scene
from cli.show.style import tile_text
from solver.xiangshifu.names import LAYOUTS, group_name, rules_name, tile_name
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Result
from solver.xiangshifu.tiles import TILES


@dataclass(frozen=True)
class Words:
    """What pictures and pages say in one language; texts with braces are formats.

    Attributes:
        lang: the language, one of ``names.LANGUAGES``.
        tag: the language's tag in HTML and SVG.
    """

    lang: str
    tag: str
    game: str
    invalid: str
    all_valid: str
    some_invalid: str
    group_says: str
    comma: str
    colon: str
    stop: str
    rules: str
    deal: str
    step: str
    exchange: str
    won: str
    won_goal: str
    dealt_won: str
    shortest: str
    bounded: str
    lost: str
    undecided: str
    board: str
    moves: str
    next: str
    repaired: str
    first: str
    back: str
    play: str
    pause: str
    forward: str
    last: str
    position: str
    keys: str
    no_script: str

    def tile(self, name: str) -> str:
        """A tile, by its text such as ``16``, with its name."""
        return f"{tile_text(name)} {tile_name(name, self.lang)}"

    def caption(self, group: Group) -> str:
        """What a group is."""
        return group_name(tuple(tile.name for tile in group.tiles), group.names, self.lang) or self.invalid

    def describe_group(self, group: Group) -> str:
        """A group in a sentence: its place, its tiles and what it is."""
        tiles = self.comma.join(tile_text(tile.name) for tile in group.tiles)
        return self.group_says.format(place=group.place, tiles=tiles, caption=self.caption(group))

    def describe(self, scene: Scene) -> str:
        """A whole position in sentences."""
        return self.stop.join(map(self.describe_group, scene.groups))

    def standing(self, scene: Scene) -> str:
        """How many groups are invalid."""
        if not scene.invalid:
            return self.all_valid
        return self.some_invalid.format(invalid=scene.invalid, groups=len(scene.groups))

    def rules_of(self, rules: RuleSet) -> str:
        """The rule set."""
        return self.rules.format(rules=rules_name(rules.id, self.lang))

    def layout(self, scene: Scene) -> str:
        """The layout."""
        return LAYOUTS[scene.layout.name].within(self.lang)

    def tiles(self, mask: int) -> str:
        """The tiles of a mask."""
        return self.names_of(TILES.names(mask))

    def names_of(self, tiles: Iterable[str]) -> str:
        """Some tiles in a row."""
        return " ".join(map(tile_text, tiles))

    def end(self, result: Result) -> str:
        """What the end of a solution is."""
        if result.goal == "any":
            return self.won
        return self.won_goal.format(goal=goal_head(result.goal, self.lang))

    def headline(self, result: Result) -> str:
        """What is known of a deal, in one sentence."""
        if result.verdict != "winnable":
            return self.lost if result.verdict == "unwinnable" else self.undecided
        if not result.moves:
            return self.dealt_won
        head = "" if result.goal == "any" else self._goal(result.goal)
        form = self.shortest if result.optimal else self.bounded
        return head + form.format(moves=self._moves(len(result.moves)), bound=f"{result.lower_bound or 0:,}")

    def _goal(self, goal: str) -> str:
        return f"{goal_head(goal, self.lang)}{self.colon}"

    def _moves(self, number: int) -> str:
        if self.lang == "zh":
            return f"{number} 步"
        return f"{number} move" if number == 1 else f"{number} moves"

    def announce(self, number: int, found: Sequence[Scene], result: Result) -> str:
        """What has happened when the position after so many moves is shown, for one who can't see it."""
        scene = found[number]
        if number == 0:
            return f"{self.deal}{self.stop}{self.standing(scene)}{self.stop.strip()}"
        move = (result.moves or ())[number - 1]
        said = [
            self.step.format(number=number, total=len(found) - 1),
            self.exchange.format(
                out=self.tiles(move.out[0]), place=move.groups[0], other_out=self.tiles(move.out[1]),
                other=move.groups[1],
            ),
            *(self.describe_group(scene.groups[place]) for place in move.groups),
            self.end(result) if number == len(found) - 1 else self.standing(scene),
        ]  # fmt: skip
        return self.stop.join(said) + self.stop.strip()


EN = Words(
    lang="en",
    tag="en",
    game="Xiang Shi Fu",
    invalid="invalid",
    all_valid="All groups are valid",
    some_invalid="{invalid} of {groups} groups invalid",
    group_says="Group {place}: {tiles}, {caption}",
    comma=", ",
    colon=": ",
    stop=". ",
    rules="{rules} rules",
    deal="The deal",
    step="Move {number} of {total}",
    exchange="{out} of group {place} exchanged for {other_out} of group {other}",
    won="All groups are valid: won",
    won_goal="{goal}: won",
    dealt_won="Won as dealt",
    shortest="{moves}, the fewest possible",
    bounded="{moves}; no solution is shorter than {bound}",
    lost="Can't be won",
    undecided="Undecided",
    board="Board",
    moves="Moves",
    next="Next",
    repaired="repaired",
    first="To the deal",
    back="Back",
    play="Play",
    pause="Pause",
    forward="Forward",
    last="To the end",
    position="Position",
    keys="Keys: ← → step, Home and End jump, space plays and pauses.",
    no_script="Without JavaScript only the deal and the list of moves are shown.",
)

ZH = Words(
    lang="zh",
    tag="zh-Hant",
    game="相十副",
    invalid="無效",
    all_valid="各組全部有效",
    some_invalid="{groups} 組中 {invalid} 組無效",
    group_says="第 {place} 組：{tiles}，{caption}",
    comma="、",
    colon="：",
    stop="。",
    rules="{rules}規則",
    deal="開局",
    step="第 {number} 步，共 {total} 步",
    exchange="第 {place} 組的 {out} 換第 {other} 組的 {other_out}",
    won="各組全部有效，成局",
    won_goal="{goal}，成局",
    dealt_won="開局即成",
    shortest="{moves}，最少步數",
    bounded="{moves}；任何解法不少於 {bound} 步",
    lost="無解",
    undecided="未能判定",
    board="牌桌",
    moves="步驟",
    next="下一步",
    repaired="修復",
    first="回到開局",
    back="上一步",
    play="播放",
    pause="暫停",
    forward="下一步",
    last="到終局",
    position="步數",
    keys="按鍵：← → 走一步，Home、End 到頭尾，空白鍵播放或暫停。",
    no_script="未啟用 JavaScript，只能看到開局與步驟。",
)

WORDS = {"en": EN, "zh": ZH}

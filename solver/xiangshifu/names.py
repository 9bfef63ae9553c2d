"""What tiles, pairs, combinations, goals, layouts and rule sets are called, in English and in Chinese.

Chinese names are in traditional characters. Those of tiles and pairs are the ones of the games of tian jiu and pai jiu,
those of combinations and goals the game's own (rules, "Triples" and "Predetermined goals"); where no name is known to
be in use, a comment says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LANGUAGES = ("en", "zh")


class Name(NamedTuple):
    """A name in each of ``LANGUAGES``."""

    en: str
    zh: str

    def within(self, lang: str) -> str:
        """The name in one language."""
        return self.zh if lang == "zh" else self.en


TILES: dict[str, Name] = {
    "66": Name("heaven", "天"),
    "11": Name("earth", "地"),
    "44": Name("man", "人"),
    "13": Name("harmony", "和"),  # also the goose, 鵝
    "55": Name("plum blossom", "梅花"),
    "33": Name("long three", "長三"),
    "22": Name("bench", "板凳"),
    "56": Name("hatchet", "斧頭"),
    "46": Name("red head ten", "紅頭十"),  # also the folding screen, 屏風
    "16": Name("long leg seven", "高腳七"),
    "15": Name("big head six", "零霖六"),  # also the copper hammer six, 銅錘六
    "36": Name("mixed nine", "雜九"),
    "45": Name("mixed nine", "雜九"),
    "26": Name("mixed eight", "雜八"),
    "35": Name("mixed eight", "雜八"),
    "25": Name("mixed seven", "雜七"),
    "34": Name("mixed seven", "雜七"),
    "14": Name("mixed five", "雜五"),
    "23": Name("mixed five", "雜五"),
    "24": Name("supreme six", "二四"),
    "12": Name("supreme three", "丁三"),  # also the three of the chickens, 三雞
}
"""The kinds of tiles by their texts, in the order of ``tiles.TILES``; two military tiles of one sum share a name."""

PAIRS: dict[str, Name] = {
    "66-66": Name("pair of heaven", "雙天"),
    "11-11": Name("pair of earth", "雙地"),
    "44-44": Name("pair of man", "雙人"),
    "13-13": Name("pair of harmony", "雙和"),
    "55-55": Name("pair of plum blossoms", "雙梅"),
    "33-33": Name("pair of long threes", "雙長三"),
    "22-22": Name("pair of benches", "雙板凳"),
    "56-56": Name("pair of hatchets", "雙斧頭"),
    "46-46": Name("pair of red head tens", "雙紅頭"),
    "16-16": Name("pair of long leg sevens", "雙高腳"),
    "15-15": Name("pair of big head sixes", "雙零霖"),
    "36-45": Name("mixed nines", "雜九"),
    "26-35": Name("mixed eights", "雜八"),
    "25-34": Name("mixed sevens", "雜七"),
    "14-23": Name("mixed fives", "雜五"),
    "12-24": Name("supreme pair", "至尊"),
}
"""The valid pairs by the texts of their tiles, the lesser first, as goals name them."""

COMBINATIONS: dict[str, Name] = {
    "five-points": Name("five points", "五點"),
    "full-fourteen": Name("full fourteen", "十四點"),  # in fortune-telling with tiles 正快
    "split": Name("split", "分相"),
    "coincidence": Name("coincidence", "合巧"),
    "five-sons": Name("five sons", "五子"),
    "dragon": Name("dragon", "不同"),
    "small-dragon": Name("small dragon", "小龍"),  # in fortune-telling with tiles 么二三
    "big-dragon": Name("big dragon", "大龍"),  # in fortune-telling with tiles 馬軍
    "two-three-kao": Name("two-three-kao", "二三靠"),
    "mixed-dragon": Name("mixed dragon", "雜龍"),
    "multiple": Name("multiple", "三同三四倍"),
    # The suits are 文 and 武; that a pair of one is called so is our own.
    "civilian": Name("civilian pair", "文對"),
    "military": Name("military pair", "武對"),
    "supreme": Name("supreme pair", "至尊"),
}
"""All combinations of the rule sets of the game, and the sorts of pairs."""

LAYOUTS: dict[str, Name] = {
    "ten": Name("Ten Triples", "相十副"),
    "shanghai": Name("Shanghai", "上海式"),  # our own: players only say that it comes from 上海
    "eight": Name("Eight Triples", "相八副"),  # "watching eight sets"
}

GOALS: dict[str, Name] = {
    "any": Name("a final position", "全部有效"),  # our own: all groups valid
    "five-dragons": Name("Five Dragons", "五龍爭位"),
    "generals": Name("Generals in Mutual Harmony", "將相和"),
    "shanghai": LAYOUTS["shanghai"],
    # Our own: the layout's name and which pairs.
    "eight-civil": Name("the four civilian pairs", "相八副：四文對"),
    "eight-military": Name("the four military pairs", "相八副：四武對"),
    "eight": LAYOUTS["eight"],
}
"""All goals but those that are a pair."""

RULES: dict[str, Name] = {
    "classic": Name("classic", "古法"),  # our own: the old way
    "thirteen": Name("thirteen", "三同十三"),  # "three alike and thirteen", as the seed describes it
    "mixed-dragon": Name("mixed-dragon", "雜龍"),
    "multiple": Name("multiple", "三同三四倍"),
}

_PAIR = "pair:"


def tile_name(tile: str, lang: str) -> str:
    """What a tile is called, by its text such as ``16``."""
    return TILES[tile].within(lang)


def pair_name(tiles: Iterable[str], lang: str) -> str:
    """What a valid pair is called, by the texts of its tiles."""
    return PAIRS["-".join(sorted(tiles))].within(lang)


def combination_name(name: str, lang: str) -> str:
    """What a combination or a sort of pair is called; a user's own keeps its name, in words."""
    return COMBINATIONS[name].within(lang) if name in COMBINATIONS else name.replace("-", " ")


def group_name(tiles: tuple[str, ...], names: Iterable[str], lang: str) -> str:
    """What a valid group is called: its combinations, or the pair; empty for an invalid one.

    English has the sort of a pair, Chinese the very pair.
    """
    names = tuple(names)
    if names and len(tiles) == 2 and lang == "zh":
        return pair_name(tiles, lang)
    return ("、" if lang == "zh" else ", ").join(combination_name(name, lang) for name in names)


def goal_name(goal: str, lang: str) -> str:
    """What a goal is called, by its id, within a sentence: ``Five Dragons``, ``pair 25-34``."""
    if not goal.startswith(_PAIR):
        return GOALS[goal].within(lang)
    pair = goal.removeprefix(_PAIR)
    return f"指定{PAIRS[pair].zh}為對" if lang == "zh" else f"pair {pair}"


def rules_name(rules: str, lang: str) -> str:
    """What a rule set is called, by its id; a user's own keeps its name."""
    parts = rules.split("+")
    if not all(part in RULES for part in parts):
        return rules
    return "+".join(RULES[part].within(lang) for part in parts)

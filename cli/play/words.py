"""The words of the game as one plays it, in English and in Chinese; names of tiles and the like are in ``names``."""

from __future__ import annotations

from collections.abc import Mapping

from solver.errors import Fault, InputError
from solver.xiangshifu.names import LAYOUTS as NAMES
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.session import REASONS, Refused

EN: dict[str, str] = {
    "title": "Play Xiang Shi Fu",
    "lead": "Exchange tiles between two groups so that both become valid, until all are.",
    "new": "New deal",
    "daily": "Deal of the day",
    "paste": "Your own deal",
    "pasteAsk": "A deal, or the seed of one",
    "pasteHelp": "Groups as in 13-26-56 …, the pair last; or a number.",
    "open": "Deal",
    "cancel": "Cancel",
    "rules": "Rules",
    "goal": "Goal",
    "layout": "Layout",
    "undo": "Undo",
    "redo": "Redo",
    "restart": "Start over",
    "hint": "Show a best move",
    "winnable": "Still winnable?",
    "share": "Share",
    "shared": "The link to this deal is in the clipboard.",
    "shareBy": "The link to this deal is in the address bar.",
    "stop": "Stop",
    "moves": "Moves",
    "shortest": "shortest possible",
    "atMost": "best known",
    "lostDeal": "this deal can't be won",
    "board": "Board",
    "tools": "Game",
    "invalid": "invalid",
    "won": "Won in {moves}.",
    "wonBest": "Won in {moves}, the fewest possible!",
    "wonMore": "Won in {moves}; {shortest} would do.",
    "yes": "Yes: {moves} more will do.",
    "yesBest": "Yes: {moves} more will do, and no fewer.",
    "no": "No: from here it can't be won. Undo, or begin again.",
    "unknown": "Not known: no answer was found in the time.",
    "hintSays": "Exchange {a} of group {i} for {b} of group {j}.",
    "done": "Won already.",
    "thinking": "Thinking … {seconds} s",
    "waiting": "Waiting for a free solver … {seconds} s",
    "building": "Building a table for this goal, once: {percent} %",
    "stopped": "Stopped.",
    "group": "group {place}",
    "comma": ", ",
    "colon": ": ",
    "semicolon": "; ",
    "one": "1 move",
    "many": "{n} moves",
    "seed": "deal {index} of seed {seed}",
    "ownDeal": "a deal of your own",
    "dailyDeal": "deal of {day}",
    "shortcuts": "Keys: arrows move, Enter or space picks up and exchanges, Z undoes, Y does again, "
    "H shows a best move, W tells whether it is still winnable.",
    "keys": "arrows move  space pick  u undo  r redo  h hint  w winnable?  s start over  n new  d daily  q quit",
    "noScript": "To play, this page needs JavaScript.",
    "language": "中文",
    "sentence": "{text}.",
}

ZH: dict[str, str] = {
    "title": "玩相十副",
    "lead": "在兩組之間換牌，換後兩組都須有效，直到各組全部有效。",
    "new": "新局",
    "daily": "今日一局",
    "paste": "自訂開局",
    "pasteAsk": "一副開局，或一個種子數",
    "pasteHelp": "各組如 13-26-56 …，對子在最後；或一個數字。",
    "open": "開局",
    "cancel": "取消",
    "rules": "規則",
    "goal": "目標",
    "layout": "局式",
    "undo": "悔牌",
    "redo": "重做",
    "restart": "從頭再來",
    "hint": "提示一步",
    "winnable": "還能成局嗎？",
    "share": "分享",
    "shared": "本局連結已複製。",
    "shareBy": "本局連結在網址列。",
    "stop": "停止",
    "moves": "步數",
    "shortest": "最少步數",
    "atMost": "已知最好",
    "lostDeal": "本局無解",
    "board": "牌桌",
    "tools": "本局",
    "invalid": "無效",
    "won": "成局，用了 {moves}。",
    "wonBest": "成局，用了 {moves}，正是最少步數！",
    "wonMore": "成局，用了 {moves}；最少只需 {shortest} 步。",
    "yes": "能：再走 {moves} 即可。",
    "yesBest": "能：再走 {moves} 即可，不能更少。",
    "no": "不能：走到這裡已無解。請悔牌或重新開始。",
    "unknown": "未知：限時內未得出答案。",
    "hintSays": "第 {i} 組的 {a} 換第 {j} 組的 {b}。",
    "done": "已經成局。",
    "thinking": "思考中 … {seconds} 秒",
    "waiting": "等候中 … {seconds} 秒",
    "building": "正在為此目標建表，只需一次：{percent} %",
    "stopped": "已停止。",
    "group": "第 {place} 組",
    "comma": "、",
    "colon": "：",
    "semicolon": "；",
    "one": "1 步",
    "many": "{n} 步",
    "seed": "種子 {seed} 第 {index} 局",
    "ownDeal": "自訂開局",
    "dailyDeal": "{day} 的一局",
    "shortcuts": "按鍵：方向鍵移動，Enter 或空白鍵拿牌換牌，Z 悔牌，Y 重做，H 提示，W 問能否成局。",
    "keys": "方向鍵 移動  空白鍵 拿牌  u 悔牌  r 重做  h 提示  w 能成局？  s 從頭  n 新局  d 今日  q 離開",
    "noScript": "本頁需要 JavaScript。",
    "language": "English",
    "sentence": "{text}。",
}

WORDS = {"en": EN, "zh": ZH}

REFUSALS: dict[str, Mapping[str, str]] = {
    "en": {code: f"{text[0].upper()}{text[1:]}." for code, text in REASONS.items()},
    "zh": {
        "two-groups": "換牌須在 {groups} 組中的兩組之間。",
        "same-group": "兩張牌在同一組裡。",
        "not-there": "{group} 裡沒有 {tiles}。",
        "unequal": "換出幾張，就須換回幾張。",
        "too-many": "一張換一張，或以整副對子換兩張。",
        "unchanged": "這樣換牌，什麼也沒變。",
        "invalid": "{group} 不是有效的組合。",
        "both-invalid": "{group} 和 {other} 都不是有效的組合。",
    },
}
"""Why an exchange is refused, by the codes of ``session``."""

ERRORS: dict[str, Mapping[str, str]] = {
    "en": {
        "offline": "The server does not answer.",
        "busy": "Too many ask at once; ask again in a minute.",
        "no-tables": "This server has no tables for this goal, and builds none.",
        "bad-tables": "The tables for this goal can't be had.",
        "no-memory": "This takes too much memory.",
        "too-long": "This took too long.",
        "died": "The solver broke off; ask again.",
        "mistake": "The server made a mistake.",
    },
    "zh": {
        "offline": "伺服器沒有回應。",
        "busy": "發問的人太多，請稍後再試。",
        "no-tables": "此伺服器沒有這個目標的表，也不建表。",
        "bad-tables": "無法取得這個目標的表。",
        "no-memory": "所需記憶體太多。",
        "too-long": "所需時間太長。",
        "died": "求解中斷，請再問一次。",
        "mistake": "伺服器出錯。",
    },
}
"""What can go wrong, by codes."""


_SIZES = "、".join(f"{one.triples} 和 {one.pairs}（{NAMES[name].zh}）" for name, one in LAYOUTS.items())

FAULTS = {
    "stray": "第 {column} 個字 {character} 不該在此",
    "no-tile": "沒有 {tile} 這張牌（第 {column} 個字）",
    "group-size": "第 {group} 組（{tiles}）有 {count} 張牌，一組應為 2 張或 3 張",
    "no-layout": "三張的有 {triples} 組，對子有 {pairs} 組，一局應有 " + _SIZES,
    "tile-too-often": "{tile} 應有 {due} 張，卻有 {count} 張",
    "tile-missing": "{tile} 應有 {due} 張，只有 {count} 張",
    "no-short-text": "文字太長",
    "no-deal": "這裡沒有開局",
    "seed": "種子須是 0 至 2^128-1 的整數",
    "index": "局號須是 0 至 2^64-1 的整數",
    "layout": "沒有這種局式",
    "no-rules": "沒有這種規則",
    "no-goal": "沒有這個目標",
    "other-layout": "此局式沒有這個目標",
    "no-pair": "目標中的對子不對",
    "other": "這樣的要求，伺服器不明白",
}
"""What can be wrong with a deal, a link or what a page sends, in Chinese, by the codes of faults; in English an error
says it itself."""


def wrong(error: InputError, lang: str) -> str:
    """What an error says, in a language, in one line."""
    if lang == "en":
        return str(error)
    faults = error.faults or (Fault("other"),)
    return "；".join(FAULTS[fault.code].format(**fault.values) for fault in faults)


def refusal(refused: Refused, lang: str) -> str:
    """Why an exchange is refused, as a sentence."""
    return REFUSALS[lang][refused.code].format(**refused.values)


def counted_moves(number: int, lang: str) -> str:
    """So many moves."""
    words = WORDS[lang]
    return words["one"] if number == 1 else words["many"].format(n=number)

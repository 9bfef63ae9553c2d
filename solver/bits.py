"""Bit operations of the encoding layer inside kernels, and over arrays of masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from solver.deck import WORD, WORD_MASK, Deck
from solver.jit import kernel


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """The number of bits set in an integer, of that integer's type; inside kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return (word(word), generate) if isinstance(word, types.Integer) else None


@intrinsic
def lowest_bit(typing_context: Any, word: Any) -> Any:
    """The place of the lowest bit set in an integer that is not 0; inside kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return (word(word), generate) if isinstance(word, types.Integer) else None


@intrinsic
def highest_bit(typing_context: Any, word: Any) -> Any:
    """The place of the highest bit set in an integer that is not 0; inside kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        width = arguments[0].type.width
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(width), width - 1), zeros)

    return (word(word), generate) if isinstance(word, types.Integer) else None


@intrinsic
def high_product(typing_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the product of two uint64; inside kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        x, y = (builder.zext(argument, wide) for argument in arguments)
        return builder.trunc(builder.lshr(builder.mul(x, y), ir.Constant(wide, 64)), ir.IntType(64))

    return (types.uint64(types.uint64, types.uint64), generate)


@intrinsic
def borrowed(typing_context: Any, array: Any) -> Any:
    """The same array without a share in its memory; inside kernels only, while the caller keeps the array.

    Numba counts references at every use of an array, by atomic operations. In a hot kernel that passes many arrays
    on to small ones this costs a third of the time; an array without a share is not counted.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, value=arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return (array(array), generate) if isinstance(array, types.Array) else None


@kernel
def canonical_word(word, network):  # noqa: ANN201
    """One word of a canonical mask: all kinds' bits sorted downwards at once (``Deck.sorting_network``)."""
    one = np.uint64(1)
    for lane in network:
        low = word & lane
        high = (word >> one) & lane
        word = (word & ~(lane | (lane << one))) | (low | high) | ((low & high) << one)
    return word


@kernel
def _canonical_words(words, networks, out):
    for row in range(words.shape[0]):
        for column in range(words.shape[1]):
            out[row, column] = canonical_word(words[row, column], networks[column])


@kernel
def _count_bits(words, out):
    for row in range(words.shape[0]):
        total = 0
        for column in range(words.shape[1]):
            total += popcount(words[row, column])
        out[row] = total


def to_words(deck: Deck, masks: list[int]) -> NDArray[np.uint64]:
    """Masks as the words that kernels see: uint64, shape (masks, deck.words)."""
    return np.array(
        [[(mask >> (WORD * word)) & WORD_MASK for word in range(deck.words)] for mask in masks], dtype=np.uint64
    ).reshape(len(masks), deck.words)


def from_words(words: NDArray[np.uint64]) -> list[int]:
    """The masks that rows of words stand for; shape (masks, 1 or 2)."""
    return [sum(int(word) << (WORD * place) for place, word in enumerate(row)) for row in words]


def canonical_masks(deck: Deck, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """``Deck.canonical`` for many masks at once: uint64, shape (masks, deck.words), in and out.

    Raises:
        ValueError: the array does not have the deck's number of words.
    """
    if words.ndim != 2 or words.shape[1] != deck.words:
        raise ValueError(f"masks of this deck have {deck.words} words, the array's shape is {words.shape}")
    networks = np.array(deck.sorting_network(), dtype=np.uint64).reshape(deck.words, -1)
    out = np.empty_like(words)
    _canonical_words(words, networks, out)
    return out


def sizes(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many copies each mask holds: uint64, shape (masks, words), to int64, shape (masks,)."""
    out = np.empty(words.shape[0], dtype=np.int64)
    _count_bits(words, out)
    return out

"""A survey as a Parquet file, one row a deal, for study with other tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from solver.store import Store
from solver.xiangshifu.report import batches, verdict_of
from solver.xiangshifu.survey import Survey
from solver.xiangshifu.verdicts import OUTCOMES, WINNABLE

VERDICTS = ("undecided", "winnable", "unwinnable")

WORD = pa.dictionary(pa.int8(), pa.string())
SCHEMA = pa.schema(
    [
        pa.field("rules", WORD, nullable=False),
        pa.field("index", pa.uint64(), nullable=False),
        pa.field("verdict", WORD, nullable=False),
        pa.field("outcome", WORD, nullable=False),
        pa.field("length", pa.uint8()),
        pa.field("expanded", pa.uint32(), nullable=False),
        pa.field("held", pa.uint16(), nullable=False),
    ]
)
"""``outcome`` tells the proof of a loss, too; ``length`` is null where it is unknown; bits of ``held`` are places of
the groups that the proof of a loss says stay unrepaired."""


def write_parquet(store: Store, path: Path) -> int:
    """Write all deals of the survey in a store, by rule set and number; returns how many rows.

    The description of the survey is in the file's metadata as JSON, under ``xiangshifu``. Batches are written as they
    are read, so any number of deals fits into memory.
    """
    survey = Survey.from_description(store.description)
    schema = SCHEMA.with_metadata({"xiangshifu": json.dumps(store.description)})
    names = [rules.id for rules in survey.rules]
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for place, name in enumerate(names):
            for numbers, records in batches(store, name):
                writer.write_table(_table(place, names, numbers, records, schema))
                rows += len(records)
    return rows


def _table(place: int, names: list[str], numbers: NDArray[np.uint64], records: NDArray[np.void], schema: Any) -> Any:
    outcomes = np.ascontiguousarray(records["outcome"])
    lengths = np.ascontiguousarray(records["length"])
    verdicts = np.array([VERDICTS.index(verdict_of(outcome)) for outcome in range(len(OUTCOMES))], dtype=np.int8)
    columns = [
        _words(np.full(len(records), place, dtype=np.int8), names),
        pa.array(numbers),
        _words(verdicts[outcomes], VERDICTS),
        _words(outcomes.astype(np.int8), OUTCOMES),
        pa.array(lengths, mask=(lengths == 0) | (outcomes != WINNABLE)),
        pa.array(np.ascontiguousarray(records["expanded"])),
        pa.array(np.ascontiguousarray(records["held"])),
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _words(places: NDArray[np.int8], words: Any) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(list(words), pa.string()))

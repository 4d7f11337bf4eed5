"""Synchronises copies when it is told to, and compares them with exports: see python-sync.test.ts."""

import importlib.util
import json
import sys
from pathlib import Path

from tenor_client import Tenor

HAS_ARROW = importlib.util.find_spec('pyarrow') is not None
HAS_DUCKDB = importlib.util.find_spec('duckdb') is not None


def sync(tenor, dataset, folder, formats):
    results = {'csv': tenor.sync(dataset, folder / f'{dataset}.csv')}
    exported = folder / 'exported.csv'
    tenor.export(dataset, 'csv', exported)
    assert (folder / f'{dataset}.csv').read_bytes() == exported.read_bytes(), dataset
    if 'parquet' in formats and HAS_ARROW:
        from pyarrow.parquet import read_table

        exported = export_parquet(tenor, dataset, folder)
        results['parquet'] = tenor.sync(dataset, folder / f'{dataset}.parquet')
        assert read_table(folder / f'{dataset}.parquet').equals(read_table(exported)), dataset
    if 'duckdb' in formats and HAS_DUCKDB:
        import duckdb

        exported = export_parquet(tenor, dataset, folder)
        results['duckdb'] = tenor.sync(dataset, folder / 'copies.duckdb')
        with duckdb.connect(str(folder / 'copies.duckdb')) as database:
            copy = database.sql(f'FROM "{dataset}" ORDER BY ALL').fetchall()
            expected = database.read_parquet(str(exported)).order('ALL').fetchall()
        assert copy == expected, (dataset, copy, expected)
    return {name: [result.revision, result.changes] for name, result in results.items()}


def export_parquet(tenor, dataset, folder):
    return tenor.export(dataset, 'parquet', folder / 'exported.parquet').path


for line in sys.stdin:
    url, dataset, folder, formats = json.loads(line)
    print(json.dumps(sync(Tenor(url, 'test-token'), dataset, Path(folder), formats)), flush=True)

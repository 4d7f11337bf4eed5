import { expect, test } from 'bun:test';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { createTally } from '../../src/check/check-ledger.ts';
import { DatasetChecker } from '../../src/check/dataset-checker.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getColumnValues, getStorageTable } from '../../src/schema/storage-table.ts';

/** The faults of a record that was current from one revision to another, once or again and again. */
function findFaults(...spans: (readonly [since: number, until: number | null])[]): string[] {
  const faults: string[] = [];
  const tallies = new Map([1, 2, 3].map((revision) => [revision, createTally(funds.name)]));
  const checker = new DatasetChecker(
    funds,
    tallies,
    async () => [],
    (fault) => faults.push(fault.replace(/^.*: /, '')),
  );
  const columns = getColumnValues(getStorageTable(funds), funds.example);
  const json = serializeRecord(funds, funds.example);
  for (const [since, until] of spans) checker.check({ columns, json, since, until });
  return faults;
}

test('the revisions of a record follow each other, and it ends after it begins', () => {
  expect(findFaults([1, 2], [2, 3], [3, null])).toEqual([]);
  expect(findFaults([1, 2], [3, null])).toEqual([]);
  expect(findFaults([2, 2])).toEqual(['it is valid from 2 to 2, which is impossible']);
  expect(findFaults([3, 1])).toEqual(['it is valid from 3 to 1, which is impossible']);
  expect(findFaults([1, 3], [2, null])).toEqual([
    'it is valid from 2 to null, which is impossible',
  ]);
  expect(findFaults([1, null], [2, 3])).toEqual(['it is valid from 2 to 3, which is impossible']);
});

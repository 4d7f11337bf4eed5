import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import type { DatasetEntry, RevisionEntry } from '../../../src/explorer/api/types.ts';
import {
  countExtensions,
  findLargestChange,
  hasCorrections,
} from '../../../src/explorer/ledger/count-extensions.ts';
import { fund } from '../funds/fixtures.ts';
import { createCorrection } from './fixtures.ts';

const entry = buildCatalogueEntry(fundAllocation) as unknown as DatasetEntry;
const old = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 30], Bonds: [80, 70] });
const dates = ['2024-03-31', '2024-02-29', '2024-01-31'];
const extended = fund(dates, { Cash: [10, 20, 30], Bonds: [90, 80, 70] });
const corrected = fund(dates, { Cash: [10, 21, 30], Bonds: [90, 79, 70] });

const createRevision = (counts: Pick<RevisionEntry, 'corrected' | 'retired'>) =>
  ({ revision: 14, dataset: 'fund-allocation', ...counts }) as RevisionEntry;

test('the largest change of corrections is that of the figure that changed most for its size', () => {
  const later = fund(['2024-02-29', '2024-01-31'], { Cash: [22, 30], Bonds: [78, 71] });
  const change = findLargestChange(entry, [
    createCorrection(old, null),
    createCorrection(old, later),
  ]);
  expect([change?.key, change?.old, change?.new]).toEqual(['Cash', 20, 22]);
  expect(findLargestChange(entry, [createCorrection(old, null)])).toBeUndefined();
});

describe('countExtensions', () => {
  test('does not call a record corrected that only gained a period', () => {
    const revision = createRevision({ corrected: 1, retired: 0 });
    const later = { ...extended, modified: '2024-04-01T00:00:00Z' };
    const counts = countExtensions(entry, [revision], [createCorrection(old, later)]);
    expect(counts.get(14)).toEqual({ corrected: 0, extended: 1 });
    expect(hasCorrections(revision, counts)).toBe(false);
  });

  test('calls a record corrected that gained a period and changed in another, or was retired', () => {
    const revision = createRevision({ corrected: 2, retired: 1 });
    const corrections = [extended, corrected, null].map((later) => createCorrection(old, later));
    const counts = countExtensions(entry, [revision], corrections);
    expect(counts.get(14)).toEqual({ corrected: 1, extended: 1 });
    expect(hasCorrections(revision, counts)).toBe(true);
  });

  test('calls a record corrected that gained a period and lost another', () => {
    const revision = createRevision({ corrected: 1, retired: 0 });
    const moved = fund(dates.slice(0, 2), { Cash: [10, 20], Bonds: [90, 80] });
    const counts = countExtensions(entry, [revision], [createCorrection(old, moved)]);
    expect(counts.get(14)).toEqual({ corrected: 1, extended: 0 });
  });

  test('says nothing about a revision of which it knows some corrections only', () => {
    const revision = createRevision({ corrected: 2, retired: 0 });
    const counts = countExtensions(entry, [revision], [createCorrection(old, extended)]);
    expect(counts.size).toBe(0);
    expect(hasCorrections(revision, counts)).toBe(true);
  });
});

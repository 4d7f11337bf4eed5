import { describe, expect, test } from 'bun:test';
import {
  createSamplePublications,
  type SamplePublication,
} from '../../scripts/sample/sample-publications.ts';
import { datasets, toDeclaration } from '../../src/catalogue/datasets/datasets.ts';
import { atmTransactionsQuarterlyValue } from '../../src/catalogue/datasets/series/index.ts';
import { findDeclarationProblems } from '../../src/catalogue/declaration-problems.ts';
import { findViolation } from '../../src/catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { validateRecord } from '../../src/schema/validate-record.ts';
import { addMonths, formatDay, parseDay } from '../../src/shared/calendar.ts';
import { getCurrentRecords, publications } from './current-records.ts';

// Update this when the sample changes on purpose.
const DIGEST = 'a9b4731684e91aa49dcb2382420cfad3fb33aba353ce1c47bd9c004344dbc048';

describe('sample publications', () => {
  test('have the pinned digest', () => {
    expect(hashSha256(serializeRecords(publications))).toBe(DIGEST);
  });

  test('do not depend on the last bit of exponentials and logarithms', () => {
    expect(hashSha256(withPerturbedMath(() => serializeRecords(createSamplePublications())))).toBe(
      DIGEST,
    );
  });

  test('begin with the history of each shipped dataset, and end with two that are declared', () => {
    const names = publications.map(({ dataset }) => dataset.name);
    expect(names.slice(-3)).toEqual(['datasets', 'interbank-offered-rates', 'net-asset-values']);
    expect(new Set(names).size).toBe(17);
    expect(new Set(names.slice(0, 14)).size).toBe(14);
    expect(names.length).toBeGreaterThan(14);
  });

  test('are all marked as sample data', () => {
    for (const { source, sample } of publications) {
      expect(source).toStartWith('made-up sample: ');
      expect(sample).toBe(true);
    }
  });

  test('are in order, before August 2026', () => {
    const instants = publications.map(({ at }) => at.toISOString());
    expect(instants).toEqual([...new Set(instants)].sort());
    expect(instants.at(-1)?.slice(0, 7)).toBe('2026-07');
  });

  test('include no record that ends after its publication', () => {
    const premature = publications.flatMap(({ dataset, records, at }) => {
      const day = at.toISOString().slice(0, 10);
      return records.filter((record) => getLastDay(dataset, record) >= day);
    });
    expect(premature).toEqual([]);
  });

  test('cover every period of a series up to the newest', () => {
    const newest = new Map([
      [1, '2025'],
      [4, 'Q2 2026'],
      [12, 'Jun 2026'],
    ]);
    for (const dataset of new Set(publications.map((publication) => publication.dataset))) {
      if (!dataset.period || dataset.declared) continue;
      const { field, kind } = dataset.period;
      const records = getCurrentRecords(dataset);
      const ordinals = records.map((record) => kind.toOrdinal(String(record[field])));
      const end = (kind.toOrdinal(newest.get(kind.periodsPerYear) ?? '') ?? Number.NaN) + 1;
      expect(ordinals).toEqual(ordinals.map((_, index) => end - ordinals.length + index));
    }
  });

  test('declare datasets as a publisher could', () => {
    const declarations = getCurrentRecords(datasets).map(toDeclaration);
    expect(declarations.flatMap((each) => findDeclarationProblems(each))).toEqual([]);
  });

  test('correct a provisional figure in a later publication', () => {
    const asOf = (day: string) =>
      getCurrentRecords(atmTransactionsQuarterlyValue, new Date(`${day}T23:59:59Z`)).at(-1);
    const [provisional, revised] = [asOf('2026-07-14'), asOf('2026-07-20')];
    expect(provisional?.period).toBe('Q2 2026');
    expect(revised?.period).toBe('Q2 2026');
    expect(Number(provisional?.total)).toBeLessThan(Number(revised?.total));
  });
});

describe.each(
  publications.map((publication) => [publication.at.toISOString(), publication] as const),
)('the sample publication of %s', (_, { dataset, records }) => {
  test('has only valid records', () => {
    expect(records.length).toBeGreaterThan(0);
    expect(records.flatMap((record) => validateRecord(dataset, record))).toEqual([]);
  });

  test('satisfies the consistency checks', () => {
    const violations = records.flatMap((record) =>
      dataset.checks.flatMap((check) => findViolation(check, record) ?? []),
    );
    expect(violations).toEqual([]);
  });
});

function serializeRecords(all: readonly SamplePublication[]): string {
  return JSON.stringify(all.map(({ records }) => records));
}

function hashSha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

/** Runs the callback with a mathematical library that rounds differently. */
function withPerturbedMath<T>(callback: () => T): T {
  const { exp, log, log1p, expm1 } = Math;
  let calls = 0;
  const perturb = (exact: (x: number) => number) => (x: number) => {
    calls += 1;
    return exact(x) * (1 + ((calls % 3) - 1) * Number.EPSILON);
  };
  Object.assign(Math, {
    exp: perturb(exp),
    log: perturb(log),
    log1p: perturb(log1p),
    expm1: perturb(expm1),
  });
  try {
    return callback();
  } finally {
    Object.assign(Math, { exp, log, log1p, expm1 });
  }
}

function getLastDay({ shape, period }: Dataset, record: AnyRecord): string {
  if (shape === 'quotes') return String(record.date);
  if (shape === 'fund') return String(record.modified).slice(0, 10);
  if (shape === 'reference') return String(record.issueDate ?? '');
  const ordinal = period?.kind.toOrdinal(String(record[period.field])) ?? Number.NaN;
  const months = 12 / (period?.kind.periodsPerYear ?? 1);
  return formatDay(addMonths(parseDay('2000-01-01'), (ordinal + 1) * months - 24_000) - 1);
}

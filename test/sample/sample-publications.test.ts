import { describe, expect, test } from 'bun:test';
import { addMonths, formatDay, parseDay } from '../../src/calendar.ts';
import { atmTransactionsQuarterlyValue } from '../../src/catalogue/datasets/series/index.ts';
import { findViolation } from '../../src/catalogue/model/consistency-check.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import {
  createSamplePublications,
  type SamplePublication,
} from '../../src/sample/sample-publications.ts';
import { validateRecord } from '../../src/schema/validate-record.ts';
import { keyOf, publications, standing } from './current-records.ts';

// Whoever changes the sample on purpose writes the new digest here.
const DIGEST = 'd5296133ced0d73f960560617fcf13722bc2ec515d173c37df78f69974f582c7';

describe('the sample', () => {
  test('is the same in every run', () => {
    expect(textOf(createSamplePublications()) === textOf(publications)).toBe(true);
  });

  test('is the one that was pinned', () => {
    expect(digestOf(textOf(publications))).toBe(DIGEST);
  });

  test('does not depend on the last bit of exponentials and logarithms', () => {
    expect(digestOf(withShakenMath(() => textOf(createSamplePublications())))).toBe(DIGEST);
  });

  test('begins with the history of everything that it holds, the specified twelve', () => {
    const held = new Set(publications.map(({ dataset }) => dataset.name));
    const first = publications.slice(0, held.size).map(({ dataset }) => dataset.name);
    expect(first.toSorted()).toEqual([...held].toSorted());
    expect(held.size).toBe(12);
    expect(publications.length).toBeGreaterThan(held.size);
  });

  test('says of every publication that it is made up', () => {
    for (const { source, sample } of publications) {
      expect(source).toStartWith('made-up sample: ');
      expect(sample).toBe(true);
    }
  });

  test('is published in order, before August 2026', () => {
    const instants = publications.map(({ at }) => at.toISOString());
    expect(instants).toEqual([...new Set(instants)].sort());
    expect(instants.at(-1)?.slice(0, 7)).toBe('2026-07');
  });

  test('publishes nothing before it happened', () => {
    const early = publications.flatMap(({ dataset, records, at }) => {
      const day = at.toISOString().slice(0, 10);
      return records.filter((record) => lastDayOf(dataset, record) >= day);
    });
    expect(early).toEqual([]);
  });

  test('puts a provisional figure right in a later publication', () => {
    const asOf = (day: string) =>
      standing(atmTransactionsQuarterlyValue, new Date(`${day}T23:59:59Z`)).at(-1);
    const [provisional, revised] = [asOf('2026-07-14'), asOf('2026-07-20')];
    expect(provisional?.period).toBe('Q2 2026');
    expect(revised?.period).toBe('Q2 2026');
    expect(Number(provisional?.total)).toBeLessThan(Number(revised?.total));
  });
});

describe.each(publications.map((each) => [each.at.toISOString(), each] as const))(
  'the publication of %s',
  (_, { dataset, records }) => {
    test('holds only records that the catalogue accepts', () => {
      expect(records.length).toBeGreaterThan(0);
      expect(records.flatMap((record) => validateRecord(dataset, record))).toEqual([]);
    });

    test('satisfies the consistency checks', () => {
      const violations = records.flatMap((record) =>
        dataset.checks.flatMap((check) => findViolation(check, record) ?? []),
      );
      expect(violations).toEqual([]);
    });

    test('gives every key once', () => {
      expect(new Set(records.map(keyOf(dataset))).size).toBe(records.length);
    });
  },
);

function textOf(all: readonly SamplePublication[]): string {
  return JSON.stringify(all.map(({ records }) => records));
}

function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

/** Runs the work on a machine whose mathematical library rounds differently. */
function withShakenMath<T>(operation: () => T): T {
  const { exp, log, log1p, expm1 } = Math;
  let calls = 0;
  const shaken = (exact: (x: number) => number) => (x: number) => {
    calls += 1;
    return exact(x) * (1 + ((calls % 3) - 1) * Number.EPSILON);
  };
  const shaky = { exp: shaken(exp), log: shaken(log), log1p: shaken(log1p), expm1: shaken(expm1) };
  Object.assign(Math, shaky);
  try {
    return operation();
  } finally {
    Object.assign(Math, { exp, log, log1p, expm1 });
  }
}

function lastDayOf({ shape, period }: Dataset, record: AnyRecord): string {
  if (shape === 'quotes') return String(record.date);
  if (shape === 'fund') return String(record.modified).slice(0, 10);
  const place = period?.kind.toOrdinal(String(record[period.field])) ?? Number.NaN;
  const months = { annual: 12, quarterly: 3, monthly: 1 }[period?.kind.name ?? 'annual'];
  return formatDay(addMonths(parseDay('2000-01-01'), (place + 1) * months - 24_000) - 1);
}

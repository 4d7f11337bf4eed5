import fc from 'fast-check';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import { anyRecord } from '../arbitrary.ts';
import { getKey } from '../publish-at.ts';

/** A history that is played on both engines. */
export interface Scenario {
  /** What securities and funds are called; the names of one are the ISINs of another. */
  readonly names: readonly string[];
  readonly steps: readonly Step[];
}

/** One command on a dataset, and the time since the one before. */
export interface Step {
  readonly action: 'publish' | 'load' | 'break' | 'retire' | 'revert';
  readonly datasetName: string;
  readonly records: readonly AnyRecord[];
  /** Whether the records replace all others. */
  readonly replace: boolean;
  /** Pricing terms that a file of quotes has besides its records. */
  readonly terms: AnyRecord | null;
  /** The revision to revert. */
  readonly revision: number;
  readonly gapMs: number;
}

/**
 * Texts that are ordered otherwise by letters, by UTF-16 or by locale than by their bytes, that
 * differ in letter case only, or that mean something on the way into a database.
 */
export const NAMES = [
  ...['a', 'A', 'Z', 'z', 'é', 'É', 'e\u0301', '_', '-', 'a-b', 'a_b', 'ab', 'AB', 'ß', 'SS'],
  ...['ı', 'İ', 'I', 'i', 'Ω', 'ÿ', 'ー', 'ｱ', '字', '\ue000', '\uffff', '😀', '𝔸', 'é\u{1f3f3}'],
  ...['NULL', 'null', '{}', '{a;b}', '{"a"}', '"', 'a"b', "'", "it's", '\\', '\\"', '\\N', '\\x41'],
  ...['a;b', ';', '%', '%41', '?', '$1', ':a', '@', ';--', '$$', '/*', 'a b', 'a  b', '0', '007'],
];

export const DAYS = ['2025-12-31', '2026-01-01', '2026-02-28'] as const;
const FIRST_YEAR = 2_015;
const series = catalogue.filter(({ shape }) => shape === 'series');

/** The key of a record: so few that histories use the same ones repeatedly. */
const anyKeyIndexes = fc.record({ name: fc.nat(99), isin: fc.nat(99), day: fc.nat(2) });
type KeyIndexes = typeof anyKeyIndexes extends fc.Arbitrary<infer T> ? T : never;

type DraftStep = Omit<Step, 'records'> & {
  readonly drafts: readonly (readonly [AnyRecord, KeyIndexes])[];
  /** Whether a key may occur in two records, which is rejected. */
  readonly allowDuplicates: boolean;
};

const anyTerms = fc.record({
  couponRate: fc.option(fc.double({ min: 0, max: 30, noNaN: true })),
  couponFrequency: fc.constantFrom(1, 2, 4, null),
  pricing: fc.constantFrom('coupon', 'discount', null),
});

const isRare = fc.nat(7).map((n) => n === 0);

const anyStep = (dataset: Dataset, minLength = 1): fc.Arbitrary<DraftStep> =>
  fc.record({
    action: fc.constantFrom(
      ...(['publish', 'publish', 'load', 'load', 'retire', 'revert', 'revert', 'break'] as const),
    ),
    datasetName: fc.constant(dataset.name),
    drafts: fc.array(fc.tuple(anyRecord(dataset), anyKeyIndexes), { minLength, maxLength: 12 }),
    allowDuplicates: isRare,
    replace: isRare,
    terms: fc.option(anyTerms),
    revision: fc.integer({ min: 1, max: 9 }),
    // Some in one instant, and some by a clock that runs backwards.
    gapMs: fc.constantFrom(0, 1, 999, 60_000, -5),
  });

/** Any history of a few datasets. */
export const anyScenario: fc.Arbitrary<Scenario> = fc
  .tuple(
    anyStep(quotes, 6),
    fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 9 }),
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: anyStep(quotes) },
        { weight: 2, arbitrary: anyStep(fundAllocation) },
        { weight: 2, arbitrary: anyStep(securities) },
        { weight: 1, arbitrary: anyStep(funds) },
        {
          weight: 3,
          arbitrary: fc.constantFrom(...series.slice(0, 3)).chain((dataset) => anyStep(dataset)),
        },
      ),
      { maxLength: 11 },
    ),
  )
  .map(([first, names, steps]) => ({
    names,
    steps: [{ ...first, action: 'load' as const, allowDuplicates: false }, ...steps].map((step) =>
      buildStep(step, names),
    ),
  }));

/** Any step of one dataset. */
export const anyStepOf = (dataset: Dataset, names: readonly string[]): fc.Arbitrary<Step> =>
  anyStep(dataset).map((step) => buildStep(step, names));

/** A step with records that have few names, and mostly each key once. */
function buildStep(
  { drafts, allowDuplicates, ...step }: DraftStep,
  names: readonly string[],
): Step {
  const dataset = findDataset(step);
  const records = drafts.map(([draft, indexes]) => withKey(dataset, draft, indexes, names));
  const byKey = new Map(records.map((record) => [JSON.stringify(getKey(dataset, record)), record]));
  return { ...step, records: allowDuplicates ? records : [...byKey.values()] };
}

export function findDataset({ datasetName }: Pick<Step, 'datasetName'>): Dataset {
  return catalogue.find(({ name }) => name === datasetName) as Dataset;
}

/** A record that has one of the few keys. */
function withKey(
  { shape, period }: Dataset,
  draft: AnyRecord,
  { name, isin, day }: KeyIndexes,
  names: readonly string[],
): AnyRecord {
  const getName = (index: number) => names[index % names.length];
  if (period)
    return {
      ...draft,
      [period.field]: period.kind.formatLabel(FIRST_YEAR * period.kind.periodsPerYear + (name % 4)),
    };
  if ('fund_id' in draft) return { ...draft, fund_id: getName(name) };
  if (shape === 'reference') return { ...draft, symbol: getName(name), isin: getName(isin) };
  return { ...draft, date: DAYS[day], symbol: getName(name), isin: getName(isin) };
}

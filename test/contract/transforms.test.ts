import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tableFromIPC } from '@uwdata/flechette';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { branchlessBankingAgents } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import { listCoarserUnits } from '../../src/catalogue/model/period-unit.ts';
import { AGGREGATE_NAMES, UNITS_CODES } from '../../src/catalogue/model/transform-parameters.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { isWeekend, parseDay } from '../../src/shared/calendar.ts';
import { declareIn } from '../support/declared-rates.ts';
import { fetchPages, parseRecords } from '../support/follow-links.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { DECODERS, type TableName } from '../tabular/decode-formats.ts';
import { publishDeclared } from '../transforms/declared-server.ts';
import { expectClose } from '../transforms/expect-close.ts';
import { type RequestedTransform, transformNaively } from '../transforms/naive-transform.ts';

const BANK = { field: 'bank', title: 'Bank' };
/** In the order of bytes, which is not that of UTF-16. */
const BANKS = ['a', 'Ａ', '🏦'];

const declare = (
  name: string,
  period: Omit<Declaration['period'], 'field'>,
  more: Partial<Declaration> = {},
): Declaration => ({
  name,
  title: name,
  period: { ...period, field: 'when' },
  measures: [
    { field: 'paid', title: 'Paid', unit: 'PKR billion', kind: 'flow' },
    { field: 'held', title: 'Held', unit: 'PKR billion', kind: 'stock' },
    { field: 'rate', title: 'Rate', unit: 'percent', kind: 'rate' },
    { field: 'level', title: 'Level', unit: '2020 = 100', kind: 'index' },
  ],
  ...more,
});

/** One dataset of each kind of period, over some years: its declaration, and its first and last day. */
const DATASETS: readonly (readonly [Declaration, from: string, to: string])[] = [
  [declare('days', { kind: 'day' }, { dimensions: [BANK] }), '2019-12-16', '2021-03-10'],
  [declare('weeks', { kind: 'week' }, { status: true }), '2019-09-02', '2021-02-20'],
  [declare('months', { kind: 'month' }, { dimensions: [BANK] }), '2018-11-01', '2021-05-01'],
  [declare('quarters', { kind: 'quarter', yearStart: 4 }), '2015-04-01', '2021-03-01'],
  [declare('years', { kind: 'year', yearStart: 7 }, { status: true }), '2011-07-01', '2021-03-01'],
];

/** Numbers from 0 to 1, the same ones for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Records with gaps: some figures are null, zero or negative, and some periods have no record. */
function generateRecords([declaration, from, to]: (typeof DATASETS)[number], seed: number) {
  const { period, dimensions, measures, status } = declaration;
  const kind = createPeriodKind(period.kind, period.yearStart);
  const random = createRandom(seed);
  const generateFigure = () => {
    const digits = Math.floor(random() * 1_000_000);
    const chance = random();
    if (chance < 0.015) return null;
    return chance < 0.04 ? (digits % 3) - 1 : digits / 1000;
  };
  const records: AnyRecord[] = [];
  const last = kind.findOrdinal(parseDay(to));
  for (let ordinal = kind.findOrdinal(parseDay(from)); ordinal <= last; ordinal++) {
    const isClosed = period.kind === 'day' && isWeekend(ordinal);
    if (isClosed || random() < 0.02) continue;
    for (const bank of dimensions ? BANKS : ['']) {
      if (random() < 0.03) continue;
      records.push({
        when: kind.formatLabel(ordinal),
        ...(bank && { bank }),
        ...Object.fromEntries(measures.map(({ field }) => [field, generateFigure()])),
        ...(status && { status: random() < 0.1 ? 'P' : 'A' }),
      });
    }
  }
  return records;
}

/** The records of each dataset before and after some of them are corrected. */
const RECORDS = DATASETS.map((dataset, index) => {
  const first = generateRecords(dataset, index + 1);
  const corrections = generateRecords(dataset, index + 50).filter((_, place) => place % 9 === 0);
  const getKey = ({ when, bank }: AnyRecord) => `${when} ${bank}`;
  const all = new Map([...first, ...corrections].map((record) => [getKey(record), record]));
  return { declaration: dataset[0], first, corrected: [...all.values()] };
});

/** The last revision without corrections. */
const FIRST_AT = 1 + DATASETS.length;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyRequest = fc.record({
  dataset: fc.constantFrom(...RECORDS),
  frequency: maybe(fc.nat(3)),
  year_start: maybe(fc.integer({ min: 1, max: 12 })),
  aggregate: maybe(fc.constantFrom(...AGGREGATE_NAMES.filter((name) => name !== 'sum'))),
  units: fc.constantFrom(...UNITS_CODES),
  min_share: maybe(fc.constantFrom(0, 0.55, 0.8, 1)),
  partial: maybe(fc.constant(true)),
  banks: maybe(fc.subarray([...BANKS, 'none'], { minLength: 1 })),
  range: fc.record({
    from: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
    length: maybe(fc.nat(9)),
  }),
  sort: maybe(fc.constantFrom('asc', 'desc')),
  limit: fc.integer({ min: 1, max: 60 }),
  isCorrected: fc.boolean(),
});
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

/** Pages that are as large as what is read at once, and end amid the series of a period. */
const LARGE_PAGES = RECORDS.slice(0, 1).flatMap((dataset) =>
  [250, 251, 252].map((limit) => {
    const absent = { frequency: undefined, year_start: undefined, aggregate: undefined } as const;
    const all = {
      min_share: undefined,
      partial: undefined,
      banks: undefined,
      range: { from: undefined, length: undefined },
    };
    return { ...absent, ...all, dataset, units: 'chg', sort: undefined, limit, isCorrected: true };
  }),
) as AnyRequest[];

/** The transform of a request, without what its dataset does not allow. */
function getTransform(request: AnyRequest): RequestedTransform {
  const { dataset, units, aggregate, year_start = 1 } = request;
  const { kind, yearStart = 1 } = dataset.declaration.period;
  const coarser = listCoarserUnits(kind);
  const frequency = coarser[(request.frequency ?? Number.NaN) % coarser.length];
  if (!frequency) return { units };
  const hasYears = frequency === 'quarter' || frequency === 'year';
  const isEven = kind !== 'quarter' || (year_start - yearStart) % 3 === 0;
  const hasStart = request.year_start && hasYears && isEven;
  // A share is nothing for sums, which is what becomes of flows by default.
  const { min_share } = request;
  return {
    frequency,
    units,
    ...(hasStart && { year_start }),
    ...(aggregate && { aggregate }),
    ...(aggregate && min_share !== undefined && { min_share }),
    ...(request.partial && { partial: true }),
  };
}

/** The address of a request and what it should give, where figures of a double may differ a little. */
function plan(request: AnyRequest): { target: string; expected: AnyRecord[] } {
  const { banks, range, sort, limit, isCorrected } = request;
  const { declaration, first: firstRecords, corrected } = request.dataset;
  const transform = getTransform(request);
  const hasBanks = banks && declaration.dimensions;
  const all = transformNaively(declaration, isCorrected ? corrected : firstRecords, transform);
  const labels = [...new Set(all.map(({ when }) => String(when)))].toReversed();
  const first = range.from === undefined ? 0 : Math.floor(range.from * (labels.length - 1));
  const last = range.length === undefined ? labels.length - 1 : first + range.length;
  const selected = labels.slice(first, last + 1);
  const expected = all.filter(
    ({ when, bank }) =>
      selected.includes(String(when)) && (!hasBanks || banks.includes(String(bank))),
  );
  const parameters: AnyRecord = {
    ...transform,
    ...(hasBanks && { bank: banks.join() }),
    ...(range.from !== undefined && { from: labels[first] }),
    ...(range.length !== undefined && { to: labels[Math.min(last, labels.length - 1)] }),
    ...(sort && { sort }),
    ...(!isCorrected && { as_of: FIRST_AT }),
    limit,
  };
  const query = new URLSearchParams(parameters as Record<string, string>);
  const target = `/datasets/${declaration.name}?${query}`;
  return { target, expected: sort === 'asc' ? reversePeriods(expected) : expected };
}

/** Oldest period first; within one, the order stays. */
function reversePeriods(records: readonly AnyRecord[]): AnyRecord[] {
  return [...Map.groupBy(records, ({ when }) => when).values()].toReversed().flat();
}

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(`${engine}: transforms of /datasets/{name}`, () => {
    let store: TestStore;
    let server: InProcessServer;
    beforeAll(async () => {
      store = await createStore();
      await publishDeclared(
        store,
        RECORDS.map(({ declaration, first }) => [declaration, first]),
      );
      for (const { declaration, corrected } of RECORDS)
        await store.publish(createDeclaredDataset(declaration), corrected);
      server = await createInProcessServer(store, catalogue);
    });
    afterAll(async () => {
      server.close();
      await store.remove();
    });
    const get = (target: string) => server.get(target);
    const getRecords = async (target: string) => parseRecords(await (await get(target)).text());

    test('are what looking at each figure gives, in pages, in both orders, as of any revision', async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest, async (request) => {
          const { target, expected } = plan(request);
          const pages = await fetchPages(get, target);
          if (request.units === 'lin') expect(pages.flat()).toEqual(expected);
          expectClose(pages.flat(), expected);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / request.limit)));
        }),
        { numRuns: scaleRuns(35), examples: LARGE_PAGES.map((request) => [request]) },
      );
    });

    test('of lists are by key: null if a period lacks it, or has no record after it', async () => {
      const publish = (month: string, total: number, provinces: Record<string, number>) => ({
        period: `${month} 2026`,
        total,
        provinces: Object.entries(provinces).map(([key, value]) => ({ key, value })),
      });
      await store.publish(branchlessBankingAgents, [
        publish('Jan', 10, { punjab: 6, sindh: 4 }),
        publish('Feb', 11, { punjab: 7, sindh: 4 }),
        publish('Mar', 12, { punjab: 7.7, kpk: 4.3 }),
        publish('Apr', 13, { punjab: 8 }),
      ]);
      const toList = (values: Record<string, number | null>) =>
        Object.entries(values).map(([key, value]) => ({ key, value }));
      const path = '/datasets/branchless-banking-agents';
      const counts = { status: 'A', observed: 1, expected: 3 };
      const quarters = [
        {
          period: 'Q2 2026',
          total: null,
          provinces: toList({ punjab: null }),
          ...counts,
        },
        {
          period: 'Q1 2026',
          total: 12,
          ...counts,
          provinces: toList({ punjab: 7.7, kpk: null, sindh: null }),
        },
      ];
      expect(await getRecords(`${path}?frequency=quarter`)).toEqual(quarters);
      const pages = await fetchPages(get, `${path}?frequency=quarter&sort=asc&limit=1`);
      expect(pages).toEqual(quarters.toReversed().map((record) => [record]));
      expect(await getRecords(`${path}?units=chg&from=2026-03&to=2026-03`)).toEqual([
        {
          period: 'Mar 2026',
          total: 1,
          provinces: toList({ punjab: 0.7, kpk: null }),
          status: 'A',
        },
      ]);
    });

    test('have only the fields that are asked for, and aggregate these alone, in JSON too', async () => {
      for (const [{ name, period }] of DATASETS) {
        if (period.kind === 'year') continue;
        const target = `/datasets/${name}?frequency=year&aggregate=sum`;
        expect((await get(target)).status).toBe(400);
        const records = await getRecords(`${target}&fields=when,paid,observed`);
        const all = await getRecords(`/datasets/${name}?frequency=year`);
        expect(records.length).toBeGreaterThan(0);
        expect(records.map((record) => Object.keys(record))).toEqual(
          records.map(() => ['when', 'paid', 'observed']),
        );
        expect(records.map(({ when, paid }) => [when, paid])).toEqual(
          all.map(({ when, paid }) => [when, paid]),
        );
        const lines = await getRecords(`${target}&fields=when,paid,observed&format=ndjson`);
        expect(lines).toEqual(records);
        const csv = await (await get(`${target}&fields=when,paid,observed&format=csv`)).text();
        expect(csv.split('\r\n')[0]).toBe('when,paid,observed');
        expect((await get(`/datasets/${name}?units=chg&fields=paid`)).status).toBe(400);
      }
    });

    test('are the same in all formats, and name the units of columns', async () => {
      for (const [{ name, period }] of DATASETS) {
        const frequency = period.kind === 'year' ? '' : '&frequency=year';
        const target = `/datasets/${name}?units=ch1${frequency}`;
        const { headers } = await get(target);
        const units = ['PKR billion', 'PKR billion', 'percentage points', '2020 = 100'];
        expect(headers.get('Tenor-Units')).toBe(units.map((unit) => `"${unit}"`).join(', '));
        const ofRates = await get(`${target}&format=csv&fields=rate,when`);
        expect(ofRates.headers.get('Tenor-Units')).toBe('"percentage points"');
        const records = await getRecords(target);
        expect(await getRecords(`${target}&format=ndjson`)).toEqual(records);
        const fields = Object.keys(records[0] ?? {});
        for (const [format, decode] of Object.entries(DECODERS) as [
          TableName,
          typeof DECODERS.csv,
        ][]) {
          const { names, rows } = await decode(
            await (await get(`${target}&format=${format}`)).bytes(),
          );
          expect(names).toEqual(fields);
          expect(rows.map((row) => row.map(String))).toEqual(
            records.map((record) => fields.map((field) => String(record[field]))),
          );
        }
        const arrow = await (await get(`${target}&format=arrow`)).bytes();
        const parquet = await (await get(`${target}&format=parquet`)).arrayBuffer();
        const [schema] = parquetMetadata(parquet).key_value_metadata ?? [];
        for (const bytes of [arrow, Buffer.from(schema?.value ?? '', 'base64')])
          expect(listUnits(bytes)).toEqual({
            paid: 'PKR billion',
            held: 'PKR billion',
            rate: 'percentage points',
            level: '2020 = 100',
            ...(frequency && { observed: 'periods', expected: 'periods' }),
          });
      }
    });

    test('have the measures that the declaration had at the revision', async () => {
      const [[declaration] = []] = DATASETS.slice(3);
      if (!declaration) return;
      const later = { field: 'later', title: 'Later', unit: 'percent', kind: 'rate' } as const;
      const before = 2 * DATASETS.length + 2;
      await declareIn(store, { ...declaration, measures: [...declaration.measures, later] });
      const target = '/datasets/quarters?frequency=year&units=pch&limit=2';
      await server.get('/revisions', { 'Tenor-Revision': String(before + 1) });
      const [old] = await getRecords(`${target}&as_of=${before}`);
      const [record] = await getRecords(target);
      expect(old).not.toHaveProperty('later');
      expect(record).toMatchObject({ later: null, when: old?.when });
    });
  });
}

/** The units of columns by the schema of an Arrow stream. */
function listUnits(bytes: Uint8Array): Record<string, string | undefined> {
  const { fields } = tableFromIPC(bytes).schema;
  const units = fields.map(({ name, metadata }) => [name, metadata?.get('unit')] as const);
  return Object.fromEntries(units.filter(([, unit]) => unit !== undefined));
}

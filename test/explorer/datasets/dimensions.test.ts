import { describe, expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../../src/catalogue/model/declaration.ts';
import { chooseSeries } from '../../../src/explorer/datasets/choose-series.ts';
import {
  combineSeries,
  formatChoices,
  formatCombination,
  splitByDimensions,
} from '../../../src/explorer/datasets/dimensions.ts';
import { buildDeclaredEntry } from '../../../src/explorer/embed/declared-entry.ts';
import {
  buildPeriodTimeline,
  listMissingPeriods,
} from '../../../src/explorer/series/period-timeline.ts';
import { getHeadline } from '../../../src/explorer/series/series-data.ts';
import { buildOpenApiDocument } from '../../../src/openapi/document.ts';
import { KIBOR, KIBOR_RECORDS } from '../../support/declared-rates.ts';

/** The entry that a page without a token builds from the public document. */
function buildEntry(declaration: Declaration) {
  const document = buildOpenApiDocument([createDeclaredDataset(declaration)], '') as {
    components: { schemas: Record<string, Parameters<typeof buildDeclaredEntry>[1]> };
  };
  const schema = document.components.schemas[`dataset-${declaration.name}`];
  if (!schema) throw new Error('there is no schema');
  return buildDeclaredEntry(declaration.name, schema);
}

describe('a declared dataset', () => {
  test('has a series for each combination of dimension values', () => {
    const combinations = splitByDimensions(buildEntry(KIBOR), KIBOR_RECORDS);
    expect(combinations.map(({ key, dimensions }) => [key, dimensions])).toEqual([
      ['1M', { tenor: '1M' }],
      ['6M', { tenor: '6M' }],
    ]);
    expect(combinations[1]?.records).toEqual(KIBOR_RECORDS.filter(({ tenor }) => tenor === '6M'));
    const entry = buildEntry({ ...KIBOR, dimensions: [] });
    expect(splitByDimensions(entry, KIBOR_RECORDS).map(({ key }) => key)).toEqual(['']);
  });

  test('has all records of the chosen combination, and offers those of a page of all', () => {
    const entry = buildEntry(KIBOR);
    const records = ['2026-05-29', '2026-06-01'].map((date) => ({ date, tenor: '6M', bid: 1 }));
    const offered = [{ date: '2026-06-01', tenor: '1M', bid: 2 }, ...records.slice(1)];
    const chosen = chooseSeries(entry, records, { of: '6M' }, offered);
    expect(chosen.choices).toEqual([
      {
        field: 'tenor',
        title: 'Tenor',
        options: ['1M', '6M'].map((key) => ({ key, text: key })),
        chosen: ['6M'],
      },
    ]);
    expect(chosen.series.labels[0]).toBe('2026-05-29');
    expect(chosen.shownTitle).toBe(`${KIBOR.title}, 6M`);
  });

  const CITIES = ['Lahore', 'Karachi', 'a;b,c'].flatMap((city) =>
    ['wheat', 'rice'].map((good) => ({ month: 'Jan 2026', city, good, price: 1 })),
  );
  const codes = ['Karachi', 'Lahore'].map((value) => ({ value, label: value.toUpperCase() }));
  const prices = () => {
    const entry = buildEntry({
      name: 'prices',
      title: 'Prices',
      period: { kind: 'month', field: 'month' },
      dimensions: [
        { field: 'city', title: 'City' },
        { field: 'good', title: 'Good' },
      ],
      measures: [{ field: 'price', title: 'Price', unit: 'PKR', kind: 'rate' }],
    });
    const fields = entry.fields.map((each) => (each.name === 'city' ? { ...each, codes } : each));
    return { ...entry, fields };
  };

  test.each([
    [undefined, ['Karachi', 'rice'], 'lines', 'Prices, KARACHI, rice', ['Price']],
    ['unknown,rice', ['Karachi', 'rice'], 'lines', 'Prices, KARACHI, rice', ['Price']],
    [
      ...['Karachi;Lahore,wheat', ['Karachi|Lahore', 'wheat'], 'lines'],
      ...['Prices, wheat, KARACHI and LAHORE', ['KARACHI', 'LAHORE']],
    ],
    [
      ...[
        '"a%3bb,c",*',
        ['a;b,c', '*'],
        'lines',
        'Prices, a;b,c, rice and wheat',
        ['rice', 'wheat'],
      ],
    ],
  ] as const)(
    'chosen by %p has values in the order of the declaration',
    (of, chosen, kind, title, lines) => {
      const found = chooseSeries(prices(), CITIES, { ...(of && { of }) });
      expect(found.choices.map((each) => each.chosen?.join('|') ?? '*')).toEqual([...chosen]);
      expect(found.series.kind).toBe(kind);
      expect(found.shownTitle).toBe(title);
      expect(found.series.components.map((each) => each.title)).toEqual([...lines]);
      expect(chooseSeries(prices(), CITIES, { of: formatChoices(found.choices) }).choices).toEqual(
        found.choices,
      );
    },
  );

  test('has small charts for more combinations than lines can tell apart, and says what is left out', () => {
    const records = Array.from({ length: 50 }, (_, city) => ({
      ...CITIES[0],
      city: `city ${city}`,
    }));
    const { series, leftOut } = chooseSeries(prices(), records, { of: '*' });
    expect([series.kind, series.components.length, leftOut]).toEqual(['multiples', 48, 2]);
  });

  test('has its first measure for a headline, not its largest', () => {
    const records = [{ date: '2026-06-01', tenor: '6M', bid: 1, offer: 2 }];
    const { series } = chooseSeries(buildEntry(KIBOR), records, {});
    expect(getHeadline(series)?.title).toBe('Bid');
  });

  test('tells a combination whose values have commas from another', () => {
    const entry = { ...buildEntry(KIBOR), key: ['date', 'tenor', 'bank'] };
    const keys = [['a,b', 'c'] as const, ['a', 'b,c'] as const].map(([tenor, bank]) =>
      formatCombination(entry, { date: '2026-06-01', tenor, bank }),
    );
    expect(keys).toEqual(['"a,b",c', 'a,"b,c"']);
  });

  test('has no figure of a combination named constructor in a period without one', () => {
    const entry = buildEntry(KIBOR);
    const records = [
      { date: '2026-06-01', tenor: 'constructor', bid: 1 },
      { date: '2026-06-02', tenor: '1M', bid: 2 },
    ];
    const combinations = splitByDimensions(entry, records);
    const merged = combineSeries(
      entry,
      combinations.map((each) => ({ ...each, title: each.key })),
      'lines',
    );
    expect(merged.records.map((record) => record.constructor as unknown)).toEqual([undefined, 1]);
  });

  test('has titles and units in the public document', () => {
    const entry = buildEntry({ ...KIBOR, status: true });
    expect(entry.key).toEqual(['date', 'tenor']);
    expect(entry.fields.map(({ name, meaning, unit }) => [name, meaning, unit])).toEqual([
      ['date', 'Day', null],
      ['tenor', 'Tenor', null],
      ['bid', 'Bid', 'percent'],
      ['offer', 'Offer', 'percent'],
      ['status', expect.any(String), null],
    ]);
  });

  test.each([
    ['day', undefined, ['2026-01-02', '2026-01-05'], 4, 0],
    ['week', undefined, ['2025-W52', '2026-W02'], 3, 1],
    ['month', undefined, ['Dec 2025', 'Feb 2026'], 3, 1],
    ['quarter', 7, ['Q4 FY2025', 'Q2 FY2026'], 3, 1],
    ['year', 7, ['FY2024', 'FY2026'], 3, 1],
  ] as const)('of the period %s has its time line', (kind, yearStart, labels, length, missing) => {
    const period = { kind, field: 'date', ...(yearStart && { yearStart }) };
    const records = labels.map((date) => ({ date, tenor: '6M', bid: 1 }));
    const timeline = buildPeriodTimeline(buildEntry({ ...KIBOR, period }), records);
    expect([timeline.labels[0], timeline.labels.at(-1)]).toEqual([...labels]);
    expect(timeline.labels).toHaveLength(length);
    expect(listMissingPeriods(timeline)).toHaveLength(missing);
  });
});

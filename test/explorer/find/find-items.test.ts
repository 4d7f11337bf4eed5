import { expect, test } from 'bun:test';
import { catalogue } from '../../../src/catalogue/index.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  buildFindItems,
  type FindSources,
  findItems,
} from '../../../src/explorer/find/find-items.ts';

const security = (symbol: string, isin: string, name: string | null) =>
  ({ symbol, isin, name, issuer: null }) as FindSources['securities'][number];

const SOURCES: FindSources = {
  views: [
    { view: 'market', title: 'Market' },
    { view: 'ledger', title: 'Ledger' },
  ],
  catalogue: catalogue.map(
    (dataset) => ({ ...buildCatalogueEntry(dataset), key: [] }) as unknown as DatasetEntry,
  ),
  revisions: [
    { revision: 12, dataset: 'quotes', source: 'eod.csv', publishedAt: '2026-07-01T06:00:00Z' },
  ] as unknown as FindSources['revisions'],
  revision: 2_012,
  securities: [
    security('MARK1', 'ZZ001', 'Larkmere Foods TFC'),
    security('ATMOS2', 'ZZ0002026', null),
    security('PLAIN', 'ZZ003', 'Bank mark'),
  ],
  funds: [
    { fund_id: 'f-1', name: 'Cedar Cash', category: 'Money market', manager: 'Cedar' },
  ] as unknown as FindSources['funds'],
};

const find = (text: string, max = 5) =>
  findItems(buildFindItems(SOURCES), text, SOURCES, max).map(({ title }) => title);

test('what begins with the text comes before what contains it', () => {
  const titles = find('mark', 20);
  expect(titles.slice(0, 2)).toEqual(['Market', 'MARK1']);
  expect(titles.slice(-2)).toEqual(['Cedar Cash', 'PLAIN']);
});

test('outstanding securities come before matured ones, which are marked, and the newest first', () => {
  const create = (symbol: string, issueDate: string, maturityDate: string) =>
    ({
      ...security(symbol, `ZZ-${symbol}`, `10-year bond, ${maturityDate}`),
      issueDate,
      maturityDate,
    }) as FindSources['securities'][number];
  const securities = [
    create('PIB0', '2015-01-01', '2025-01-01'),
    create('PIB1', '2020-01-01', '2030-01-01'),
    create('OTHER10', '2014-01-01', '2024-01-01'),
    create('PIB2', '2026-01-01', '2036-01-01'),
  ];
  const sources = { ...SOURCES, securities, catalogue: withNewestDay('2026-06-30') };
  const found = (text: string) =>
    findItems(buildFindItems(sources), text, sources, 9).map(
      ({ title, isMatured }) => `${title}${isMatured ? ' (matured)' : ''}`,
    );
  expect(found('pib')).toEqual(['PIB2', 'PIB1', 'PIB0 (matured)']);
  expect(found('10y')).toEqual(['10Y', 'PIB2', 'PIB1', 'PIB0 (matured)', 'OTHER10 (matured)']);
  expect(found('zz-pib0')).toEqual(['PIB0 (matured)']);
  // A number is a tenor before it is a revision, unless the text says so.
  expect(found('10').slice(5, 8)).toEqual(['PIB2', 'PIB1', 'Revision 10']);
  expect(found('revision 10')).toEqual(['Revision 10']);
  expect(found('pib0')[0]).toBe('PIB0 (matured)');
});

const withNewestDay = (last: string) =>
  SOURCES.catalogue.map((entry) =>
    entry.shape === 'quotes' ? { ...entry, coverage: { first: null, last, count: 1 } } : entry,
  ) as FindSources['catalogue'];

test('every word must occur, in the name, the ISIN, the category or the source', () => {
  expect(find('zz0002026')).toEqual(['ATMOS2']);
  expect(find('foods LARK')).toEqual(['MARK1']);
  expect(find('money cedar')).toEqual(['Cedar Cash']);
  expect(find('eod.csv')).toEqual(['Revision 12']);
  expect(find('cedar foods')).toEqual([]);
});

test('a view is found by what it shows', () => {
  for (const text of ['yield curve', 'quotes and spreads']) expect(find(text)).toEqual(['Market']);
  expect(find('correction')).toEqual(['Ledger']);
});

test('a tenor or a slope leads to the rate through time', () => {
  for (const text of ['10y', '10-year', '10 years'])
    expect(findItems(buildFindItems(SOURCES), text, SOURCES, 1)[0]).toMatchObject({
      kind: 'Rate',
      title: '10Y',
      view: 'market',
      params: { through: '10Y' },
    });
  expect(find('2s10s')).toEqual(['2s10s', 'Market']);
  const views = SOURCES.views.slice(1);
  expect(buildFindItems({ ...SOURCES, views }).some(({ kind }) => kind === 'Rate')).toBe(false);
});

test('a code of a dataset is found by its label and its value, beside the first of others', () => {
  const dataset = createDeclaredDataset({
    name: 'prices',
    title: 'Prices',
    period: { kind: 'month', field: 'month' },
    dimensions: [
      { field: 'city', title: 'City', codes: { KHI: 'Karachi', LHE: 'Lahore' } },
      { field: 'good', title: 'Good', codes: { W: 'Wheat' } },
      { field: 'market', title: 'Market' },
    ],
    measures: [{ field: 'price', title: 'Price', unit: 'PKR', kind: 'rate' }],
  });
  const entry = { ...buildCatalogueEntry(dataset), key: ['month', 'city', 'good', 'market'] };
  const sources = { ...SOURCES, catalogue: [entry as unknown as DatasetEntry] };
  for (const text of ['lahore', 'lhe', 'city lahore'])
    expect(findItems(buildFindItems(sources), text, sources, 1)[0]).toMatchObject({
      title: 'Lahore',
      detail: 'Prices',
      view: 'payments',
      params: { series: 'prices', of: 'LHE,W,*' },
    });
});

test('every series of the catalogue is found by its title and by its name', () => {
  for (const { name, title, shape } of catalogue.filter((dataset) => dataset.shape === 'series')) {
    expect([shape, ...find(title, 1)]).toEqual(['series', title]);
    expect(find(name, 1)).toEqual([title]);
  }
});

test('a day leads to the market of that day, and a number to a revision, listed or not', () => {
  const [day] = findItems([], '2026-06-30', SOURCES, 5);
  expect(day).toMatchObject({ view: 'market', params: { date: '2026-06-30' } });
  const [revision] = findItems([], 'revision 2000', SOURCES, 5);
  expect(revision).toMatchObject({ view: 'ledger', params: { revision: '2000' } });
  expect(find('12')).toEqual(['Revision 12']);
  expect(find('2013')).toEqual([]);
  expect(find('2026-02-30')).toEqual([]);
});

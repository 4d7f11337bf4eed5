import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import {
  columnsParameter,
  findNamedSources,
  parseColumns,
} from '../../src/operations/aligned/aligned-columns.ts';
import { findAlignedSource } from '../../src/operations/aligned/aligned-sources.ts';
import { KIBOR } from '../support/declared-rates.ts';

const strict = createDeclaredDataset({
  ...KIBOR,
  name: 'repo',
  dimensions: [
    { field: 'tenor', title: 'Tenor', codes: { '1W': 'one week' }, codesStrict: true },
    { field: 'bank', title: 'Bank' },
  ],
});
const datasets = [...catalogue, createDeclaredDataset(KIBOR), strict];

const GOOD: readonly [text: string, ...columns: [string, string, string[], string][]][] = [
  ['kibor.bid(tenor=6M)', ['kibor', 'bid', ['6M'], 'lin']],
  ['repo.bid(bank=a%2Cb%29,tenor=1W):log', ['repo', 'bid', ['1W', 'a,b)'], 'log']],
  [
    'kibor.bid(tenor=a=b),kibor.offer(tenor=1:2)',
    ['kibor', 'bid', ['a=b'], 'lin'],
    ['kibor', 'offer', ['1:2'], 'lin'],
  ],
  [
    'branchless-banking-agents.provinces.punjab:pc1',
    ['branchless-banking-agents', 'provinces.punjab', [], 'pc1'],
  ],
  [
    'branchless-banking-agents.provinces.a%28b%29',
    ['branchless-banking-agents', 'provinces.a(b)', [], 'lin'],
  ],
  [
    'quotes.ytm(symbol=A),quotes.ytm(symbol=B)',
    ['quotes', 'ytm', ['A'], 'lin'],
    ['quotes', 'ytm', ['B'], 'lin'],
  ],
  ['curve.par(tenor=10Y)', ['curve', 'par', ['10Y', 'government'], 'lin']],
  ['curve.zero(market=corporate,tenor=91D)', ['curve', 'zero', ['91D', 'corporate'], 'lin']],
];

/** Columns that say what becomes of the figures of a coarser period. */
const AGGREGATED: readonly [text: string, aggregate: string, units: string][] = [
  ['curve.par(tenor=10Y)@mean:chg', 'mean', 'chg'],
  ['analytics.zSpread(symbol=A@B)@max', 'max', 'lin'],
  ['branchless-banking-agents.provinces.a%40b@first', 'first', 'lin'],
];

const BAD: readonly [text: string, problem: string][] = [
  [
    'kibor',
    'column 1 is not written as dataset.measure(dimension=value)@aggregate:units, without spaces, and with ( ) , : % in values percent-encoded',
  ],
  [
    'kibor.bid(tenor=6M),',
    'column 2 is not written as dataset.measure(dimension=value)@aggregate:units, without spaces, and with ( ) , : % in values percent-encoded',
  ],
  [
    'kibor.bid(tenor=(6M))',
    'column 1 is not written as dataset.measure(dimension=value)@aggregate:units, without spaces, and with ( ) , : % in values percent-encoded',
  ],
  [
    'kibor.bid(tenor=6M',
    'column 1 is not written as dataset.measure(dimension=value)@aggregate:units, without spaces, and with ( ) , : % in values percent-encoded',
  ],
  ['kibor.bid(tenor=6M),kibor.bid(tenor=6M)', 'it comes twice'],
  ['libor.bid', 'no dataset is called libor; there are curve, analytics, quotes, atm-'],
  ['securities.couponRate', 'it is reference data, which has no periods'],
  ['fund-allocation.value', 'each fund has periods and classes of its own'],
  ['kibor.mid(tenor=6M)', 'the measures of kibor are bid, offer'],
  ['branchless-banking-agents.provinces', 'are total, provinces. and a key'],
  ['branchless-banking-agents.provinces.', 'are total, provinces. and a key'],
  ['quotes.isin(symbol=A)', 'the measures of quotes are maturityYears, bidPrice'],
  ['kibor.bid', 'tenor is missing: every dimension must be given'],
  ['kibor.bid()', 'the dimensions of kibor are tenor'],
  ['kibor.bid(bank=a)', 'the dimensions of kibor are tenor'],
  ['branchless-banking-agents.total(a=b)', 'are none'],
  ['kibor.bid(tenor=1M,tenor=6M)', 'tenor comes twice'],
  ['kibor.bid(tenor=)', 'tenor must have a value'],
  ['kibor.bid(tenor=%zz)', 'percent-encoded twice'],
  ['repo.bid(tenor=9Z,bank=a)', 'tenor must be one of 1W'],
  ['curve.par(tenor=10Q)', 'such as 3M or 10Y'],
  ['curve.par(tenor=10Y,market=all)', 'market must be one of government, corporate'],
  ['kibor.bid(tenor=6M):', 'units are one of lin, chg'],
  ['kibor.bid(tenor=6M):yoy', 'units are one of lin, chg'],
  ['kibor.bid(tenor=6M)@avg', 'after @ comes one of mean, first, last, min, max'],
  ['kibor.bid(tenor=6M)@', 'after @ comes one of mean, first, last, min, max'],
  ['curve.par(tenor=10Y)@sum', 'figures of the kind stock do not add up'],
  ['quotes.volume(symbol=A)@avg', 'after @ comes one of sum, mean, first, last, min, max'],
  ['kibor.bid(tenor=6M):chg@mean', 'units are one of lin, chg'],
  ['analytics.zSpread', 'symbol is missing'],
  ['analytics.date(symbol=A)', 'the measures of analytics are cleanPrice, accrued'],
  [Array.from({ length: 41 }, (_, index) => `kibor.bid(tenor=${index})`).join(), 'these are 41'],
];

describe('columns of an aligned table', () => {
  test.each(GOOD)('%s is read', (text, ...columns) => {
    const parsed = parseColumns(text, datasets);
    expect(parsed).toEqual(
      columns.map(([dataset, measure, dimensions, units], index) => {
        const name = text.includes('),') ? (text.split(/(?<=\)),/)[index] ?? '') : text;
        return { name, dataset, measure, dimensions, units } as never;
      }),
    );
  });

  test.each(AGGREGATED)('%s is read with its aggregate', (text, aggregate, units) => {
    expect(parseColumns(text, datasets)).toMatchObject([{ name: text, aggregate, units }]);
  });

  test.each(BAD)('%s is rejected, and the message says why', (text, problem) => {
    expect(parseColumns(text, datasets)).toContain(problem);
    expect(columnsParameter(datasets).parse(text)).toBeUndefined();
  });

  test('a message names some datasets and how many more there are, never hundreds', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      createDeclaredDataset({ ...KIBOR, name: `kibor-${index}` }),
    );
    const problem = parseColumns('libor.bid', [...catalogue, ...many]) as string;
    expect(problem.length).toBeLessThan(700);
    expect(problem).toContain(' and 293 more');
  });

  test('a message names some codes and how many more there are, never thousands', () => {
    const codes = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, code) => [`C${code}`, 'a']),
    );
    const dimensions = [{ field: 'tenor', title: 'Tenor', codes, codesStrict: true }];
    const large = createDeclaredDataset({ ...KIBOR, name: 'large', dimensions });
    expect(parseColumns('large.bid(tenor=X)', [large])).toEndWith('C48, C49 and 9950 more');
  });

  test('the datasets of columns are found whatever else is wrong with them', () => {
    const names = findNamedSources('kibor.bid(a,b),kibor,nothing.x,curve.:,quotes', datasets);
    expect(names.map(({ name }) => name)).toEqual(['kibor', 'curve', 'quotes']);
  });
});

test('a table with the curve depends on all that the curve is computed from', () => {
  expect(findAlignedSource('curve', [])?.datasets).toEqual([
    'quotes',
    'securities',
    'holidays',
    'coupon-rates',
  ]);
});

import { expect, test } from 'bun:test';
import type { CashflowsRecord, PortfolioRecord } from '../../../src/client/generated.ts';
import {
  formatPositions,
  listCashFlowRequests,
  parsePositions,
  sumCashFlows,
} from '../../../src/explorer/portfolio/parse-positions.ts';

test.each([
  ['PIB1\t1,000,000\nTB2\t-5', ['PIB1:1000000', 'TB2:-5']],
  ['"PIB1";"1 000.50"\r\n\r\nTB2 (250)', ['PIB1:1000.50', 'TB2:-250']],
  ['Symbol,Face\nPIB1,7\nTB2,−8', ['PIB1:7', 'TB2:-8']],
  ['PIB1:7,TB2:-8', ['PIB1:7', 'TB2:-8']],
  // As many decimals as a computed number has.
  ['PIB1\t11.11111111111111', ['PIB1:11.11111111111111']],
])('positions of %j are as the service takes them', (text, positions) => {
  expect(parsePositions(text)).toEqual({ positions, rejected: [] });
  expect(parsePositions(formatPositions(positions.join()))).toEqual({ positions, rejected: [] });
});

test('a line that is no position is named', () => {
  const { positions, rejected } = parsePositions('PIB1 5\nPIB2 five\nPIB3 1.000.000\n7');
  expect(positions).toEqual(['PIB1:5']);
  expect(rejected).toEqual(['line 2: PIB2 five', 'line 3: PIB3 1.000.000', 'line 4: 7']);
});

test('cash flows are summed by year and face value, shorts pay, and unknown coupons are counted', () => {
  const flow = (symbol: string, date: string, coupon: number | null, principal: number) =>
    ({ symbol, date, coupon, principal }) as CashflowsRecord;
  const flows = [
    flow('A', '2027-01-01', 5, 0),
    flow('A', '2026-07-01', 5, 0),
    flow('A', '2027-07-01', 5, 100),
    flow('B', '2027-03-01', null, 100),
  ];
  expect(
    sumCashFlows(
      flows,
      new Map([
        ['A', 1_000],
        ['B', -200],
      ]),
      '2026-06-30',
    ),
  ).toEqual({
    rows: [
      { year: '2026', coupon: 50, principal: 0 },
      { year: '2027', coupon: 100, principal: 800 },
    ],
    unknownCount: 1,
  });
});

test('what securities paid up to the day of a valuation is no cash flow of it, whatever their quotes are of', () => {
  const flow = (symbol: string, date: string, coupon: number | null) =>
    ({ symbol, date, coupon, principal: 100 }) as CashflowsRecord;
  const flows = [
    flow('A', '2026-06-29', 5),
    flow('A', '2026-06-30', null),
    flow('B', '2026-07-01', 0),
  ];
  const faces = new Map([
    ['A', 1_000],
    ['B', -200],
  ]);
  expect(sumCashFlows(flows, faces, '2026-06-30')).toEqual({
    rows: [{ year: '2026', coupon: 0, principal: -200 }],
    unknownCount: 0,
  });
});

test('cash flows as of a date are asked for by the date of the quote that each position is valued at', () => {
  const position = (symbol: string, date: string | null) => ({ symbol, date }) as PortfolioRecord;
  const positions = [
    position('A', '2026-06-30'),
    position('B', '2026-06-15'),
    position('A', '2026-06-30'),
    position('not quoted', null),
    position('C', '2026-06-30'),
  ];
  const path = '/2.0/bnb/cashflows';
  expect(listCashFlowRequests(positions, true)).toEqual([
    { path, parameters: { symbol: 'A,C', date: '2026-06-30' } },
    { path, parameters: { symbol: 'B', date: '2026-06-15' } },
  ]);
  expect(listCashFlowRequests(positions, false)).toEqual([
    { path, parameters: { symbol: 'A,B,C', date: undefined } },
  ]);
  const symbols = Array.from({ length: 101 }, (_, index) => `S${index}`);
  const many = symbols.map((symbol) => position(symbol, '2026-06-30'));
  expect(listCashFlowRequests(many, true)).toEqual(
    [symbols.slice(0, 50), symbols.slice(50, 100), symbols.slice(100)].map((each) => ({
      ...{ path, parameters: { symbol: each.join(), date: '2026-06-30' } },
    })),
  );
});

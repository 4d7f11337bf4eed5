import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import {
  branchlessBankingAgents,
  paymentsMarketPlayers,
  settlementTransactionsValue,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDataset } from '../../src/catalogue/model/create-dataset.ts';
import { THEMES } from '../../src/openbb/figures/figure.ts';
import { buildTimeline } from '../../src/openbb/figures/timeline.ts';
import { buildTimelineFigure } from '../../src/openbb/figures/timeline-figure.ts';
import { listWidgets } from '../../src/openbb/widgets-json.ts';
import { KIBOR_RECORDS, kibor } from '../support/declared-rates.ts';

describe('a timeline', () => {
  test('is oldest first, with a place for each missing period', () => {
    const { example } = settlementTransactionsValue;
    const records = ['Feb 2024', 'Nov 2023'].map((period) => ({ ...example, period }));
    const { labels, lines, total, unit } = buildTimeline(settlementTransactionsValue, records);
    expect(labels).toEqual(['Nov 2023', 'Dec 2023', 'Jan 2024', 'Feb 2024']);
    expect(lines.map(({ name }) => name)).toContain('Inter-bank fund transfers');
    const { ibft } = example;
    expect(lines[1]?.values).toEqual([ibft, null, null, ibft]);
    expect([total, unit]).toEqual([undefined, 'PKR billion']);
  });

  test('does not fill a gap that no series has', () => {
    const { example } = paymentsMarketPlayers;
    const records = ['9999', '2024'].map((year) => ({ ...example, year }));
    expect(buildTimeline(paymentsMarketPlayers, records).labels).toEqual(['2024', '9999']);
  });

  test('has a line for each key that a list ever had, and the total besides', () => {
    const { example } = branchlessBankingAgents;
    const older = { ...example, period: 'May 2026', provinces: [{ key: 'islamabad', value: 5 }] };
    const { lines, total } = buildTimeline(branchlessBankingAgents, [example, older]);
    const valuesByKey = Object.fromEntries(lines.map(({ name, values }) => [name, values]));
    expect(valuesByKey.islamabad).toEqual([5, null]);
    expect(valuesByKey.punjab).toEqual([null, 421300]);
    expect(total?.values).toEqual([712400, 712400]);
  });

  test('has a line for each value of a dimension, and no gap at a weekend', () => {
    const records = [
      ...KIBOR_RECORDS,
      ...KIBOR_RECORDS.map((each) => ({ ...each, date: '2026-05-29' })),
    ];
    const { labels, lines } = buildTimeline(kibor, records);
    expect(labels).toEqual(['2026-05-29', '2026-06-01', '2026-06-02', '2026-06-03']);
    expect(lines.map(({ values }) => values.at(-1))).toEqual([11, null, 11.1, null]);
    const banks = Array.from({ length: 50 }, (_, index) => ({ ...records[0], tenor: `${index}M` }));
    expect(buildTimeline(kibor, banks).lines).toHaveLength(40);
  });

  test('has names from the data as text, which Plotly would take for markup', () => {
    const fund = { ...fundAllocation.example, rows: [{ label: '<b>A</b> & B', values: [1, 2] }] };
    const [line] = buildTimeline(fundAllocation, [fund]).lines;
    expect(line?.name).toBe('&lt;b>A&lt;/b> &amp; B');
  });

  test('of a fund has a line for each class', () => {
    const { labels, lines } = buildTimeline(fundAllocation, [fundAllocation.example]);
    expect(labels).toEqual(['May 2026', 'Jun 2026']);
    expect(lines[0]).toEqual({ name: 'Cash', values: [9.3, 10.8] });
    expect(buildTimeline(fundAllocation, []).lines).toEqual([]);
  });
});

describe('a figure', () => {
  test('of components has bars that stack from zero in both directions, and marks their total', () => {
    const timeline = buildTimeline(paymentsMarketPlayers, [paymentsMarketPlayers.example]);
    const { data, layout } = buildTimelineFigure('stacked', timeline, THEMES.light);
    expect(layout.barmode).toBe('relative');
    expect(data.map(({ type }) => type)).toEqual([...Array(5).fill('bar'), 'scatter']);
    expect(data.at(-1)).toMatchObject({ name: 'Total licensed players', y: [61] });
  });

  test('of small multiples has a chart of its own for the total and for each key', () => {
    const timeline = buildTimeline(branchlessBankingAgents, [branchlessBankingAgents.example]);
    const { data, layout } = buildTimelineFigure('multiples', timeline, THEMES.dark);
    expect(data.map(({ yaxis }) => yaxis)).toEqual(['y', 'y2', 'y3', 'y4', 'y5']);
    expect(layout.grid).toMatchObject({ rows: 3, columns: 2 });
    expect(layout).toHaveProperty('yaxis5');
  });
});

test('a record whose list is empty still has a row', () => {
  const table = listWidgets(catalogue).find(({ name }) => name === branchlessBankingAgents.name);
  const record = { ...branchlessBankingAgents.example, provinces: [] };
  const row = { period: 'Jun 2026', total: 712400, key: null, value: null };
  expect(table?.toRows?.(record, {})).toEqual([row]);
});

test('a new series has its widgets, by its declaration alone', () => {
  const series = createDataset({
    name: 'cheque-clearing',
    title: 'Cheques',
    period: { kind: 'quarter', field: 'period' },
    measures: [{ field: 'cheques', title: 'Cheques', unit: 'million', kind: 'flow' }],
    chart: { kind: 'lines', fields: ['cheques'], total: null },
    path: '/3.0/alternate/cheque-clearing',
    example: { period: 'Q1 2026', cheques: 1.5 },
  });
  const names = listWidgets([...catalogue, series]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['cheque-clearing', 'cheque-clearing-chart']));
});

import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  atmTransactionsAnnualVolume as annualSeries,
  settlementTransactionsValue as monthlySeries,
  posTransactionsQuarterlyVolume as quarterlySeries,
} from '../../src/catalogue/datasets/series/index.ts';
import { findNextDue, type NewestData } from '../../src/catalogue/model/next-due.ts';
import { buildTimelinessMetrics } from '../../src/http/monitoring/dataset-metrics.ts';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const toSeconds = (instant: string) => Date.parse(instant) / 1_000;

test('metrics have the newest day of each dataset, when more is due, and for how long it is late', () => {
  const real = { sample: false };
  const datasets: NewestData[] = [
    { dataset: quotes, last: '2026-11-13', lastRevision: real },
    { dataset: monthlySeries, last: 'Oct 2026', lastRevision: real },
    { dataset: annualSeries, last: '2020', lastRevision: { sample: true } },
    { dataset: quarterlySeries, last: null, lastRevision: null },
  ];
  const lines = formatMetrics(
    buildTimelinessMetrics(
      datasets.map((newest) => ({ ...newest, nextDue: findNextDue(newest) })),
      NOW,
    ),
  )
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const newest = 'tenor_dataset_newest_date_timestamp_seconds';
  const due = 'tenor_dataset_due_timestamp_seconds';
  const late = 'tenor_dataset_late_seconds';
  expect(lines).toEqual([
    `${newest}{dataset="quotes"} ${toSeconds('2026-11-13')}`,
    `${newest}{dataset="${monthlySeries.name}"} ${toSeconds('2026-10-31')}`,
    `${newest}{dataset="${annualSeries.name}"} ${toSeconds('2020-12-31')}`,
    `${due}{dataset="quotes"} ${toSeconds('2026-11-18')}`,
    `${due}{dataset="${monthlySeries.name}"} ${toSeconds('2027-01-15')}`,
    `${late}{dataset="quotes"} ${3.5 * 86_400}`,
    `${late}{dataset="${monthlySeries.name}"} 0`,
    `${late}{dataset="${annualSeries.name}"} 0`,
    `${late}{dataset="${quarterlySeries.name}"} 0`,
    '',
  ]);
});

import { defineCheck } from '../model/consistency-check.ts';
import { defineDataset } from '../model/dataset.ts';
import { day, identifier, instant, listOf, numberList, text } from '../model/field-builders.ts';
import { parameter } from '../model/parameter.ts';
import { FUNDS_SCHEDULE } from '../model/publication-schedule.ts';
import { TABLE_PARAMETERS } from '../model/response-parameters.ts';

export const fundAllocation = defineDataset({
  name: 'fund-allocation',
  shape: 'fund',
  title: 'Fund asset allocation',
  description:
    'How a mutual fund divides its assets among classes, period by period, newest first.',
  notes: [
    'Values are percent: 10.8 means 10.8 %.',
    'If rows are gross, those of a period may add up to more than 100.',
    'Classes are named as the source names them, so that two funds may call the same class differently.',
  ],
  paths: ['/3.0/funds/allocation'],
  scope: 'funds',
  hasMessage: true,
  schedule: FUNDS_SCHEDULE,
  parameters: {
    fund_id: {
      ...parameter.text(
        'Identifier of the fund; letter case is ignored',
        '5a3b0f1e-0000-4000-8000-000000000001',
      ),
      isRequired: true,
    },
    ...TABLE_PARAMETERS,
  },
  fields: {
    fund_id: identifier('Identifier of the fund'),
    created: instant('When the record was created'),
    modified: instant('When the record was last modified'),
    frequency: text('Update frequency, for example monthly or quarterly'),
    periods: listOf('Reporting periods, newest first', {
      label: text('Period label'),
      date: day('Period end date'),
    }),
    rows: listOf('Asset classes', {
      label: text('Asset class'),
      values: numberList('Share of assets; values[i] belongs to periods[i]', 'percent'),
    }),
  },
  validate({ periods, rows }) {
    const days = new Set(periods.map(({ date }) => date));
    if (days.size < periods.length) return { field: 'periods', rule: 'one entry for each date' };
    const labels = new Set(rows.map(({ label }) => label));
    if (labels.size < rows.length) return { field: 'rows', rule: 'one entry for each class' };
    const ragged = rows.find(({ values }) => values.length !== periods.length);
    if (!ragged) return undefined;
    return {
      field: 'rows',
      rule: `${periods.length} values, one per period, in "${ragged.label}"`,
    };
  },
  normalize(record) {
    const newestFirst = [...record.periods.entries()].sort(([, a], [, b]) =>
      a.date < b.date ? 1 : -1,
    );
    const sort = <T>(list: readonly T[]) => newestFirst.map(([index]) => list[index] as T);
    return {
      ...record,
      periods: sort(record.periods),
      rows: record.rows.map(({ label, values }) => ({ label, values: sort(values) })),
    };
  },
  checks: [defineCheck('rows-off-100', 'rows', ['periods'])],
  chart: { kind: 'shares', fields: ['rows'], total: null },
  example: {
    fund_id: '5a3b0f1e-0000-4000-8000-000000000001',
    created: '2023-08-08T09:00:00Z',
    modified: '2026-07-08T09:00:00Z',
    frequency: 'monthly',
    periods: [
      { label: 'Jun 2026', date: '2026-06-30' },
      { label: 'May 2026', date: '2026-05-31' },
    ],
    rows: [
      { label: 'Cash', values: [10.8, 9.3] },
      { label: 'Treasury Bills', values: [71.3, 75.1] },
      { label: 'Placements with Banks', values: [14.5, 12.3] },
      { label: 'Others including receivables', values: [3.4, 3.3] },
    ],
  },
});

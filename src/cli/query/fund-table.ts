import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { QueryTable } from './query-table.ts';

/** A fund as a table of periods by classes of assets. */
export function buildFundTable(data: unknown): QueryTable {
  const { periods, rows, ...about } = data as DatasetRecord<typeof fundAllocation>;
  const { unit } = fundAllocation.fields.rows.itemFields?.values ?? {};
  return {
    attributes: Object.entries(about),
    columns: [
      { name: 'period', isKey: true },
      { name: 'date' },
      ...rows.map(({ label }) => ({ name: label, isNumeric: true, ...(unit && { unit }) })),
    ],
    rows: periods.map(({ label, date }, index) => [
      label,
      date,
      ...rows.map(({ values }) => values[index] ?? null),
    ]),
    rowNoun: 'period',
    timePoints: periods.map(({ label }, at) => ({ label, ordinal: -at })),
  };
}

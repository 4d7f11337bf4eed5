import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import { buildDatasetTable } from './dataset-table.ts';
import { buildGenericTable } from './generic-table.ts';
import type { QueryTable } from './query-table.ts';
import { buildRevisionTable } from './revision-table.ts';

export function buildTable(dataset: Dataset | undefined, data: unknown): QueryTable {
  if (dataset?.shape === 'fund') return buildFundTable(data);
  if (dataset) return buildDatasetTable(dataset, data as readonly AnyRecord[]);
  const { changes } = data as AnyRecord;
  return Array.isArray(changes) ? buildRevisionTable(data as AnyRecord) : buildGenericTable(data);
}

/** A row for each period, a column for each asset class. */
function buildFundTable(data: unknown): QueryTable {
  const { periods, rows, ...attributes } = data as DatasetRecord<typeof fundAllocation>;
  const { unit } = fundAllocation.fields.rows.itemFields?.values ?? {};
  return {
    attributes: Object.entries(attributes),
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
    timePoints: periods.map(({ label }, index) => ({ label, ordinal: -index })),
  };
}

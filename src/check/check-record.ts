import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { formatProblem } from '../schema/format-problem.ts';
import { serializeRecord } from '../schema/serialize-record.ts';
import { getStorageTable, type StorageTable } from '../schema/storage-table.ts';
import { validateRecord } from '../schema/validate-record.ts';
import type { StoredRow } from '../store/open-store.ts';
import { describeRow, type ReportFault } from './check-ledger.ts';

/** Checks one row of a dataset; returns its record if it is valid. */
export function checkRecord(
  dataset: Dataset,
  row: StoredRow,
  reportFault: ReportFault,
): AnyRecord | undefined {
  const location = `${dataset.name}, ${describeRow(row)}`;
  const value = parseJsonOrText(row.json);
  const [problem] = validateRecord(dataset, value);
  if (problem) {
    reportFault(`${location}: ${problem.field} ${formatProblem(problem.value, problem.rule)}`);
    return undefined;
  }
  const record = value as AnyRecord;
  if (serializeRecord(dataset, record) !== row.json)
    reportFault(`${location}: its text is not as the catalogue writes it`);
  for (const name of findWrongColumns(getStorageTable(dataset), record, row))
    reportFault(`${location}: column ${name} is not what the record says`);
  return record;
}

export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function findWrongColumns({ columns }: StorageTable, record: AnyRecord, row: StoredRow): string[] {
  return columns
    .filter((column, index) => column.getValue(record) !== row.columns[index])
    .map(({ name }) => name);
}

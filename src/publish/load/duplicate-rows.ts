import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import type { DraftValidator, LocatedRow } from './draft-validator.ts';
import {
  formatLocation,
  MAX_LISTED_PROBLEMS,
  type ProblemCollector,
  toLocation,
} from './file-problems.ts';
import { type ReadFilesOptions, readDrafts } from './read-drafts.ts';

/** Rows whose key an earlier row of the same load has. */
export class DuplicateRows {
  private readonly rows: LocatedRow[] = [];
  private count = 0;

  add(row: LocatedRow): void {
    this.count++;
    if (this.rows.length < MAX_LISTED_PROBLEMS) this.rows.push(row);
  }

  /** Reads the files again for the first row of each key, because remembering all of them takes memory. */
  async reportProblems(
    transaction: PublishTransaction,
    options: ReadFilesOptions,
    problems: ProblemCollector,
    { completers }: DraftValidator,
  ): Promise<void> {
    if (this.count === 0) return;
    const formatKey = createKeyFormatter(options.dataset);
    const keys = new Set(this.rows.map(({ json }) => formatKey(JSON.parse(json))));
    const fields = getKeyFields(options.dataset);
    const formatValue = (record: AnyRecord) => fields.map((field) => record[field]).join(' ');
    const firstRows = new Map<string, { readonly value: string; readonly location: string }>();
    const batches = readDrafts(transaction, { ...options, onRead: undefined });
    for await (const { drafts, context } of batches) {
      for (const { position, record } of drafts) {
        completers.references?.identify(record);
        const key = formatKey(record);
        if (!keys.has(key) || firstRows.has(key)) continue;
        const location = formatLocation(toLocation(context, position));
        firstRows.set(key, { value: formatValue(record), location });
      }
    }
    for (const [index, { json, columns: _, ...location }] of this.rows.entries()) {
      const record = JSON.parse(json) as AnyRecord;
      const value = formatValue(record);
      const first = firstRows.get(formatKey(record));
      // Two spellings of one key, such as FY24 and FY2024, or a fund in different letter case.
      const same = first?.value === value ? 'the same' : `"${first?.value}" in its place`;
      const rule = `given once; ${first?.location} has ${same}`;
      const rest = index === this.rows.length - 1 ? this.count - this.rows.length : 0;
      problems.add({ ...location, field: fields.join(', '), value, rule }, 1 + rest);
    }
  }
}

function createKeyFormatter(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = getStorageTable(dataset);
  const keyColumns = columns.filter(({ name }) => key.some(({ column }) => column === name));
  return (record) => keyColumns.map(({ getValue }) => getValue(record)).join('\0');
}

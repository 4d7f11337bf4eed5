import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import { type LocatedRow, toLocation } from './draft-validator.ts';
import { formatLocation, MAX_LISTED_PROBLEMS, type ProblemCollector } from './file-problems.ts';
import { type ReadFilesOptions, readDrafts } from './read-files.ts';

/** Rows whose key an earlier row of the same load has. */
export class DuplicateRows {
  private readonly rows: LocatedRow[] = [];
  private count = 0;

  add(row: LocatedRow): void {
    this.count++;
    if (this.rows.length < MAX_LISTED_PROBLEMS) this.rows.push(row);
  }

  /**
   * Adds each as a problem, with the location of the first row of its key. The files are read again
   * for that: remembering the location of every key would take memory for a rare case.
   */
  async reportProblems(
    transaction: PublishTransaction,
    options: ReadFilesOptions,
    problems: ProblemCollector,
  ): Promise<void> {
    if (this.count === 0) return;
    const formatKey = createKeyFormatter(options.dataset);
    const keys = new Set(this.rows.map(({ json }) => formatKey(JSON.parse(json))));
    const firstLocations = new Map<string, string>();
    const batches = readDrafts(transaction, { ...options, onRead: undefined });
    for await (const { drafts, context } of batches) {
      for (const { position, record } of drafts) {
        const key = formatKey(record);
        if (keys.has(key) && !firstLocations.has(key))
          firstLocations.set(key, formatLocation(toLocation(context, position)));
      }
    }
    const fields = getKeyFields(options.dataset);
    for (const { json, columns: _, ...location } of this.rows) {
      const record = JSON.parse(json) as AnyRecord;
      const value = fields.map((field) => record[field]).join(' ');
      const rule = `given once; ${firstLocations.get(formatKey(record))} has the same`;
      problems.add({ ...location, field: fields.join(', '), value, rule });
    }
    problems.count += this.count - this.rows.length;
  }
}

/** The key columns of a record as one text. */
function createKeyFormatter(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = getStorageTable(dataset);
  const keyColumns = columns.filter(({ name }) => key.some(({ column }) => column === name));
  return (record) => keyColumns.map(({ getValue }) => getValue(record)).join('\0');
}

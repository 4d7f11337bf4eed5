import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { PublishTransaction } from '../../store/open-store.ts';
import type { LocatedRow } from './draft-validator.ts';
import { locateIn } from './draft-validator.ts';
import type { ProblemCollector } from './file-problems.ts';
import { formatLocation, MAX_LISTED_PROBLEMS } from './file-problems.ts';
import type { ReadFilesOptions } from './read-files.ts';
import { readDrafts } from './read-files.ts';

/** Rows whose key came before in the same load. */
export class DuplicateRows {
  private readonly rows: LocatedRow[] = [];
  private count = 0;

  add(row: LocatedRow): void {
    this.count++;
    if (this.rows.length < MAX_LISTED_PROBLEMS) this.rows.push(row);
  }

  /**
   * Tells each as a problem, with where its key came first. That is found by reading the files
   * once more: to remember the place of every key would take memory for a case that is rare.
   */
  async reportProblems(
    transaction: PublishTransaction,
    request: ReadFilesOptions,
    problems: ProblemCollector,
  ): Promise<void> {
    if (this.count === 0) return;
    const { dataset } = request;
    const keyOf = createKeyFormatter(dataset);
    const wanted = new Set(this.rows.map(({ json }) => keyOf(JSON.parse(json))));
    const first = new Map<string, string>();
    for await (const { drafts, context } of readDrafts(transaction, {
      ...request,
      onRead: undefined,
    })) {
      for (const { position, record } of drafts) {
        const key = keyOf(record);
        if (wanted.has(key) && !first.has(key))
          first.set(key, formatLocation(locateIn(context, position)));
      }
    }
    const fields = getKeyFields(dataset);
    for (const { json: text, columns: _, ...spot } of this.rows) {
      const record = JSON.parse(text) as AnyRecord;
      const value = fields.map((field) => record[field]).join(' ');
      const rule = `given once; ${first.get(keyOf(record))} has the same`;
      problems.add({ ...spot, field: fields.join(', '), value, rule });
    }
    problems.count += this.count - this.rows.length;
  }
}

/** What tells the records of a dataset apart, as one text. */
function createKeyFormatter(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = getStorageTable(dataset);
  const parts = columns.filter(({ name }) => key.some(({ column }) => column === name));
  return (record) => parts.map(({ getValue }) => getValue(record)).join('\0');
}

import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import { keyFields } from '../derive/key.ts';
import { tableOf } from '../derive/table.ts';
import type { Within } from '../store/index.ts';
import type { PlacedRow } from './examine.ts';
import { spotIn } from './examine.ts';
import type { Problems } from './problems.ts';
import { MOST_PROBLEMS, spotText } from './problems.ts';
import type { FilesRequest } from './reading.ts';
import { draftsIn } from './reading.ts';

/** Rows whose key came before in the same load. */
export class Repeats {
  private readonly rows: PlacedRow[] = [];
  private count = 0;

  add(row: PlacedRow): void {
    this.count++;
    if (this.rows.length < MOST_PROBLEMS) this.rows.push(row);
  }

  /**
   * Tells each as a problem, with where its key came first. That is found by reading the files
   * once more: to remember the place of every key would take memory for a case that is rare.
   */
  async tell(within: Within, request: FilesRequest, problems: Problems): Promise<void> {
    if (this.count === 0) return;
    const { dataset } = request;
    const keyOf = keyReader(dataset);
    const wanted = new Set(this.rows.map(({ text }) => keyOf(JSON.parse(text))));
    const first = new Map<string, string>();
    for await (const { drafts, where } of draftsIn(within, { ...request, onRead: undefined })) {
      for (const { at, record } of drafts) {
        const key = keyOf(record);
        if (wanted.has(key) && !first.has(key)) first.set(key, spotText(spotIn(where, at)));
      }
    }
    const fields = keyFields(dataset);
    for (const { text, columns: _, ...spot } of this.rows) {
      const record = JSON.parse(text) as AnyRecord;
      const value = fields.map((field) => record[field]).join(' ');
      const rule = `given once; ${first.get(keyOf(record))} has the same`;
      problems.add({ ...spot, field: fields.join(', '), value, rule });
    }
    problems.count += this.count - this.rows.length;
  }
}

/** What tells the records of a dataset apart, as one text. */
function keyReader(dataset: Dataset): (record: AnyRecord) => string {
  const { columns, key } = tableOf(dataset);
  const parts = columns.filter(({ name }) => key.some(({ column }) => column === name));
  return (record) => parts.map(({ of }) => of(record)).join('\0');
}

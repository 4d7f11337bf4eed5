import type { Dataset } from '../catalogue/model/dataset.ts';
import { getSummaryTables, type SummaryTable } from '../schema/summary-tables.ts';
import type { KeyRange, StoredRow, SummaryRows } from '../store/open-store.ts';
import type { ReportFault } from './check-ledger.ts';

export type ReadSummary = (table: SummaryTable, range?: KeyRange) => Promise<SummaryRows>;

/** Compares the summaries of a dataset, if it has any, with rows that are added before. */
export class SummaryChecker {
  readonly #tables: ReturnType<typeof getSummaryTables>;
  /** By how much the number of records of a day, a type and a revision changed. */
  #days = new Map<string, number>();
  /** The first revision of each security. */
  readonly #securities = new Map<string, number>();

  constructor(
    dataset: Dataset,
    private readonly readSummary: ReadSummary,
    private readonly reportFault: ReportFault,
  ) {
    this.#tables = getSummaryTables(dataset);
  }

  add({ columns, since, until }: StoredRow): void {
    if (!this.#tables) return;
    // A damaged column may have another type than text.
    const [date = '', symbol = '', symbolKey = '', isinKey = '', type = ''] = columns.map(String);
    this.#addToDay([date, type, since], 1);
    if (until !== null) this.#addToDay([date, type, until], -1);
    const security = [symbolKey, symbol, isinKey].join('\0');
    this.#securities.set(security, Math.min(since, this.#securities.get(security) ?? since));
  }

  /** Compares the days of the rows since the last call, which are all of a range. */
  async compareDays(range?: KeyRange): Promise<void> {
    const changed = [...this.#days].filter(([, difference]) => difference !== 0);
    this.#days = new Map();
    await this.#compare(this.#tables?.days, changed, range);
  }

  async compareSecurities(): Promise<void> {
    await this.#compare(this.#tables?.securities, [...this.#securities]);
  }

  #addToDay(values: readonly (string | number)[], difference: number): void {
    const key = values.join('\0');
    this.#days.set(key, (this.#days.get(key) ?? 0) + difference);
  }

  async #compare(
    table: SummaryTable | undefined,
    entries: readonly (readonly [key: string, value: number])[],
    range?: KeyRange,
  ): Promise<void> {
    if (!table) return;
    const { name, columns } = table;
    const actual = await this.readSummary(table, range);
    const unexpected = new Map(actual.map((row) => [row.join('\0'), row]));
    const expected = entries.map(([key, value]) => [...key.split('\0'), value]);
    const missing = expected.filter((row) => !unexpected.delete(row.join('\0')));
    const describe = (row: SummaryRows[number]) =>
      columns.map((column, index) => `${column.name} ${row[index]}`).join(', ');
    for (const row of missing) this.reportFault(`${name}: lacks ${describe(row)}; ${REPAIR_HINT}`);
    for (const row of unexpected.values()) {
      const fault = `${name}: has ${describe(row)}, which no record accounts for`;
      this.reportFault(`${fault}; ${REPAIR_HINT}`);
    }
  }
}

const REPAIR_HINT =
  'drop the table (on PostgreSQL with CASCADE), and tenor migrate derives it from the records';

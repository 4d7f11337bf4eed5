import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import { ownRows } from './sql-fragments.ts';

/** How an engine makes temporary tables, which statements find before those of the same names. */
export interface ShadowStatements {
  /** Creates an empty temporary table with the columns and the key of a table. */
  copyStructure(table: string): readonly string[];
  /** Creates the other indexes, once the table has its rows: that is faster. */
  copyIndexes(table: string): readonly string[];
  /** Creates a view of a table with the rows that are inserted into it from then on. */
  extend(table: string): readonly string[];
  /** The name of the table itself, once a temporary one has its name. */
  qualify(table: string): string;
  /** Has statements that are prepared find the temporary tables of that many datasets. */
  replan(count: number): readonly string[];
}

/** Lets a dry run write: to temporary copies of the current records of datasets, and after their history. */
export class ShadowTables {
  readonly #tables = new Set<string>();
  readonly #datasets = new Set<string>();

  constructor(private readonly statements: ShadowStatements) {}

  /** The statements before the first change of a dataset. */
  add(dataset: Dataset): string[] {
    const { copyStructure, copyIndexes, extend, qualify, replan } = this.statements;
    const table = getStorageTable(dataset);
    const summaries = Object.values(getSummaryTables(dataset) ?? {}).map(({ name }) => name);
    if (this.#datasets.has(dataset.name)) return [];
    this.#datasets.add(dataset.name);
    const isNew = !this.#tables.has(table.currentTable);
    this.#tables.add(table.currentTable);
    const conditions = ownRows(table).map(([sql]) => sql);
    const own = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
    const copied = [table.currentTable, ...summaries];
    return [
      ...(isNew ? [...copied.flatMap(copyStructure), ...extend(table.historyTable)] : []),
      ...copied.map((name) => `INSERT INTO ${name} SELECT * FROM ${qualify(name)}${own}`),
      ...(isNew ? copied.flatMap(copyIndexes) : []),
      ...replan(this.#datasets.size),
    ];
  }
}

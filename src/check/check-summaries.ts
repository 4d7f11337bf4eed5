import type { Dataset } from '../catalogue/model/dataset.ts';
import { getSummaryTables, type SummaryTable } from '../schema/summary-tables.ts';
import type { StoredRow, StoreInspector } from '../store/open-store.ts';
import { QuoteTally } from '../store/quote-tally.ts';
import type { ReportFault } from './check-ledger.ts';

export type SummaryRow = readonly (string | number)[];

/** Compares the summaries of a dataset with its rows, each of which it is called with. */
export function createSummaryChecker(inspector: StoreInspector, dataset: Dataset) {
  const summaries = getSummaryTables(dataset);
  const tallies = new Map<number, QuoteTally>();
  const getTally = (revision: number) => {
    const tally = tallies.get(revision) ?? new QuoteTally();
    tallies.set(revision, tally);
    return tally;
  };
  return {
    add({ columns, since, until }: StoredRow): void {
      if (!summaries) return;
      // A damaged column may have another type than text.
      const texts = columns.map(String);
      getTally(since).addPublished(texts);
      if (until !== null) getTally(until).addSuperseded(texts);
    },
    async finish(reportFault: ReportFault): Promise<void> {
      if (!summaries) return;
      const byRevision = [...tallies].toSorted(([a], [b]) => a - b);
      const compare = async (table: SummaryTable, expected: readonly SummaryRow[]) =>
        compareRows(table, await inspector.summaryRows(table), expected, reportFault);
      await compare(summaries.securities, listSecurities(byRevision));
      await compare(
        summaries.days,
        byRevision.flatMap(([revision, tally]) =>
          tally.listDays().map(([date, type, difference]) => [date, type, revision, difference]),
        ),
      );
    },
  };
}

/** Each security with the first revision that has it. */
function listSecurities(byRevision: readonly (readonly [number, QuoteTally])[]): SummaryRow[] {
  const rows = new Map<string, SummaryRow>();
  for (const [revision, tally] of byRevision) {
    for (const security of tally.listSecurities()) {
      const key = security.join('\0');
      if (!rows.has(key)) rows.set(key, [...security, revision]);
    }
  }
  return [...rows.values()];
}

export function compareRows(
  { name, columns }: SummaryTable,
  actual: readonly SummaryRow[],
  expected: readonly SummaryRow[],
  reportFault: ReportFault,
): void {
  const unexpected = new Map(actual.map((row) => [row.join('\0'), row]));
  const missing = expected.filter((row) => !unexpected.delete(row.join('\0')));
  const describe = (row: SummaryRow) =>
    columns.map((column, index) => `${column.name} ${row[index]}`).join(', ');
  for (const row of missing) reportFault(`${name}: lacks ${describe(row)}; ${REPAIR_HINT}`);
  for (const row of unexpected.values())
    reportFault(`${name}: has ${describe(row)}, which no record accounts for; ${REPAIR_HINT}`);
}

const REPAIR_HINT =
  'drop the table (on PostgreSQL with CASCADE), and tenor migrate derives it from the records';

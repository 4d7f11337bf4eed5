import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getSummaryTables, type SummaryTable } from '../../schema/summary-tables.ts';
import type { QuoteTally } from '../quote-tally.ts';
import { toBatches } from '../rows.ts';
import type { QuerySteps, SqlValue } from './query-steps.ts';

/** Adds what a revision changed to the summaries of its dataset. */
export function* writeSummaries(
  dataset: Dataset,
  tally: QuoteTally,
  revision: number,
): QuerySteps<void> {
  const summaries = getSummaryTables(dataset);
  if (!summaries) return;
  const securities = tally.listSecurities().map((security) => [...security, revision]);
  const days = tally
    .listDays()
    .map(([date, type, difference]) => [date, type, revision, difference]);
  // A security that is there already keeps its first revision.
  yield* insertRows(summaries.securities, securities, ' ON CONFLICT DO NOTHING');
  yield* insertRows(summaries.days, days);
}

function* insertRows(
  { name, columns }: SummaryTable,
  rows: readonly (readonly SqlValue[])[],
  onConflict = '',
): QuerySteps<void> {
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  for (const batch of toBatches(rows)) {
    const values = batch.map(() => placeholders).join(', ');
    yield { sql: `INSERT INTO ${name} VALUES ${values}${onConflict}`, values: batch.flat() };
  }
}

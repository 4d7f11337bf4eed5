import type { StorageTable } from '../../schema/storage-table.ts';
import type { StoredRow } from '../../store/open-store.ts';
import type { ReportFault, RevisionTally } from './check-ledger.ts';

/** The revisions that a row starts and ends with, as far as the ledger has them. */
interface RowRevisions {
  readonly started: RevisionTally | undefined;
  readonly ended: RevisionTally | undefined;
}

/** Checks the rows of a table, ordered by key: the revisions of one key must not overlap. */
export function createHistoryChecker(
  dataset: string,
  { columns, key }: StorageTable,
  tallies: ReadonlyMap<number, RevisionTally>,
  reportFault: ReportFault,
): (row: StoredRow) => RowRevisions {
  const keyIndexes = key.map(({ column }) => columns.findIndex(({ name }) => name === column));
  let previous: { key: string; until: number | null } | undefined;
  const findTally = (revision: number, row: StoredRow) => {
    const tally = tallies.get(revision);
    if (tally?.dataset === dataset) return tally;
    const location = `${dataset}, ${describeRow(row)}`;
    reportFault(`${location}: revision ${revision} is not in the ledger for it`);
    return undefined;
  };
  return (row) => {
    const { json, since, until } = row;
    const rowKey = keyIndexes.map((index) => row.columns[index]).join('\0');
    const overlaps =
      previous?.key === rowKey && (previous.until === null || previous.until > since);
    if (overlaps || (until !== null && until <= since)) {
      const location = `${dataset}, ${describeRow(row)}`;
      reportFault(`${location}: it stands from ${since} to ${until}, which cannot be`);
    }
    previous = { key: rowKey, until };
    const started = findTally(since, row);
    started?.checksum.addPublished(json);
    const endTally = until === null ? undefined : findTally(until, row);
    // A start outside the ledger is a fault already, and may not even be a number.
    const ended = started && endTally;
    ended?.checksum.addSuperseded(json, since);
    return { started, ended };
  };
}

export function describeRow({ columns, since }: StoredRow): string {
  return `record ${columns.slice(0, 2).join(' ')} of revision ${since}`;
}

import type { Dataset } from '../../catalogue/dataset.ts';
import { tableOf } from '../../derive/table.ts';
import type { Reads } from '../store.ts';
import { changesOf } from './changes.ts';
import { correctionsIn } from './corrections.ts';
import { coverageOf, fundsIn, listing, securitiesIn } from './discovery.ts';
import { entryOf, newestRevision, revisionAt, revisionsIn } from './ledger.ts';
import { walkInParts } from './parts.ts';
import { isShort, read, thenOf } from './read.ts';
import type { Session } from './session.ts';
import { everyRecord } from './statements.ts';

const SHORT = true;

/** What can be asked through a session. */
export function readsOf(session: Session): Reads {
  const { run, dialect } = session;
  return {
    revision: () => run(newestRevision, SHORT),
    revisionAt: (instant) => run(() => revisionAt(instant), SHORT),
    read: (selection) => run(() => read(selection, dialect), isShort(selection)),
    records: (dataset, asOf) => recordsIn(session, dataset, asOf),
    revisions: (which) => run(() => revisionsIn(which), SHORT),
    entry: (revision) => run(() => entryOf(revision), SHORT),
    changes: (dataset, revision, limit) =>
      run(() => changesOf(tableOf(dataset), revision, limit, dialect)),
    corrections: (dataset, which, asOf) => run(() => correctionsIn(dataset, which, asOf, dialect)),
    coverage: (datasets, asOf) =>
      run(() => listing(asOf, dialect, (ledger) => coverageOf(datasets, ledger))),
    securities: (dataset, asOf) =>
      run(() =>
        listing(asOf, dialect, (ledger) => securitiesIn(dataset, ledger.get(dataset.name))),
      ),
    funds: (dataset, asOf) =>
      run(() => listing(asOf, dialect, (ledger) => fundsIn(dataset, ledger.get(dataset.name)))),
  };
}

/** Every record in batches of texts. The session sees one revision, however long it takes. */
export async function* recordsIn(
  session: Session,
  dataset: Dataset,
  asOf: number | undefined,
): AsyncGenerator<readonly string[]> {
  const then = await session.run(() => thenOf(dataset, asOf, session.dialect));
  if (then === 'nothing') return;
  const table = tableOf(dataset);
  const all =
    then?.isSpread && table.home !== undefined
      ? walkInParts(session, table, (part) => everyRecord(table, then, part))
      : session.walk(everyRecord(table, then));
  for await (const rows of all) {
    yield (rows as readonly { record: string }[]).map(({ record }) => record);
  }
}

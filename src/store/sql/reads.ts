import type { Dataset } from '../../catalogue/dataset.ts';
import { tableOf } from '../../derive/table.ts';
import type { Reads } from '../store.ts';
import { changesOf } from './changes.ts';
import { coverageOf, fundsIn, listing, securitiesIn } from './discovery.ts';
import { entryOf, newestRevision, revisionAt, revisionsIn } from './ledger.ts';
import { read, thenOf } from './read.ts';
import type { Session } from './session.ts';
import { everyRecord } from './statements.ts';

/** What can be asked through a session. */
export function readsOf(session: Session): Reads {
  const { run, dialect } = session;
  return {
    revision: () => run(() => newestRevision()),
    revisionAt: (instant) => run(() => revisionAt(instant)),
    read: (selection) => run(() => read(selection, dialect)),
    records: (dataset, asOf) => recordsIn(session, dataset, asOf),
    revisions: (which) => run(() => revisionsIn(which)),
    entry: (revision) => run(() => entryOf(revision)),
    changes: (dataset, revision, limit) => run(() => changesOf(tableOf(dataset), revision, limit)),
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
  { run, walk, dialect }: Session,
  dataset: Dataset,
  asOf: number | undefined,
): AsyncGenerator<readonly string[]> {
  const then = await run(() => thenOf(dataset, asOf, dialect));
  if (then === 'nothing') return;
  for await (const rows of walk(everyRecord(tableOf(dataset), then))) {
    yield (rows as readonly { record: string }[]).map(({ record }) => record);
  }
}

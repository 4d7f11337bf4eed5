import type { Table } from '../../derive/table.ts';
import { tableBeside, tableOf } from '../../derive/table.ts';
import { batchesOf } from '../batches.ts';
import type { RowSum } from '../checksum.ts';
import { checksumOf, rowSum } from '../checksum.ts';
import type { Change, Conclusion, Counts, Key, Revision, Row } from '../store.ts';
import { DuplicateKey } from '../store.ts';
import { enter, revisionsIn } from './ledger.ts';
import type { WritingSession } from './session.ts';
import type { Steps } from './steps.ts';
import { rowOf } from './steps.ts';
import { termsRows } from './terms.ts';

/** Makes one change as one revision, within a transaction; undefined when it changes nothing. */
export async function revise(
  session: WritingSession,
  change: Change,
): Promise<Revision | undefined> {
  const { dataset, source, author, sample = false, files = [] } = change;
  const [last] = await session.run(() => revisionsIn({ limit: 1 }));
  const revision = (last?.revision ?? 0) + 1;
  const sum = rowSum();
  const counts = await write(session, change, revision, sum);

  const { report = {}, terms } = (await change.conclude?.({ ...counts })) ?? {};
  const learned = terms ? await keepTerms(session, change, revision, terms, sum) : 0;
  if (counts.added + counts.corrected + counts.retired + learned === 0) return undefined;
  const at = (change.at ?? new Date()).toISOString();
  // Instants of revisions never run backwards, even where a clock does.
  const publishedAt = last && last.publishedAt > at ? last.publishedAt : at;
  const about = { revision, dataset: dataset.name, publishedAt, source, files, author, sample };
  const newest = await session.run(() => newestIn(tableOf(dataset)));
  const entry = { ...about, ...counts, report, newest };
  await session.run(() => enter({ ...entry, checksum: checksumOf(entry, sum) }));
  return { ...about, ...counts };
}

/** Writes the records of a change. */
async function write(
  session: WritingSession,
  change: Change,
  revision: number,
  sum: RowSum,
): Promise<Counts> {
  const table = tableOf(change.dataset);
  const writer = await session.writer(table, revision, sum);
  const { repeated = (row: Row) => refuse(table, keyOf(table, row)) } = change;
  try {
    for await (const rows of change.rows ?? []) (await writer.put(rows)).forEach(repeated);
    for await (const keys of batchesOf(change.retired ?? [])) {
      const [twice] = await writer.retire(keys);
      if (twice) refuse(table, twice);
    }
    if (change.replace) await writer.retireRest();
    (await writer.finish()).forEach(repeated);
  } catch (cause) {
    // What is under way is waited for, lest it goes on behind the point that all is taken back to.
    // Where it failed, that came first, and made the rest fail.
    throw (await writer.settled()) ?? cause;
  }
  return writer.counts;
}

/** Keeps terms as a part of a revision, and adds them to its sum; gives how many changed. */
async function keepTerms(
  session: WritingSession,
  { dataset }: Change,
  revision: number,
  terms: NonNullable<Conclusion['terms']>,
  sum: RowSum,
): Promise<number> {
  const table = tableBeside(dataset);
  if (!table || terms.size === 0) return 0;
  const writer = await session.writer(table, revision, sum);
  const { rows, retired } = termsRows(terms);
  await writer.put(rows);
  await writer.retire(retired);
  await writer.finish();
  const { added, corrected, retired: forgotten } = writer.counts;
  return added + corrected + forgotten;
}

/** The newest day that the table holds, where its records have days. */
function* newestIn({ now, key: [first] }: Table): Steps<string | null> {
  if (first?.column !== 'date') return null;
  const row = yield* rowOf<{ date: string }>(`SELECT date FROM ${now} ORDER BY date DESC LIMIT 1`);
  return row?.date ?? null;
}

function keyOf({ key, columns }: Table, row: Row): Key {
  return key.map(
    ({ column }) => row.columns[columns.findIndex(({ name }) => name === column)] ?? '',
  );
}

function refuse({ key }: Table, values: Key): never {
  const names = key.map(({ column }) => column).join(', ');
  throw new DuplicateKey(`${names} = ${values.join(', ')} is given twice`);
}

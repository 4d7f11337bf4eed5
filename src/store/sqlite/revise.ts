import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import { checksumOf } from '../checksum.ts';
import { definitionsOf } from '../schema.ts';
import type { Change, Key, Revision, Row } from '../store.ts';
import { DuplicateKey } from '../store.ts';
import { enter, revisionsIn } from './ledger.ts';
import { keepTerms } from './terms.ts';
import { writerOf } from './writer.ts';

/** Makes one change as one revision, within a transaction; undefined when it changes nothing. */
export async function revise(database: Database, change: Change): Promise<Revision | undefined> {
  const { dataset, source, author, sample = false, files = [], repeated = refuseRepeated } = change;
  const table = tableOf(dataset);
  const [last] = revisionsIn(database, { limit: 1 });
  const revision = (last?.revision ?? 0) + 1;
  const write = writerOf(database, table, revision);
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const retire = (key: Key) => {
    const done = write.retire(key);
    if (done === 'repeated') throw new DuplicateKey(`${named(table, key)} is given twice`);
    counts[done]++;
  };

  const finishIndexes = indexesLater(database, change);
  for await (const batch of change.rows ?? []) {
    for (const row of batch) {
      const done = write.put(row);
      if (done === 'repeated') repeated(row, table);
      else counts[done]++;
    }
  }
  for (const key of change.retired ?? []) retire(key);
  if (change.replace) for (const key of write.absent()) retire(key);
  finishIndexes();

  const { report = {}, terms = new Map() } = (await change.conclude?.({ ...counts })) ?? {};
  const learned = keepTerms(database, dataset, revision, terms, write.sum);
  if (counts.added + counts.corrected + counts.retired + learned === 0) return undefined;
  const at = (change.at ?? new Date()).toISOString();
  // Instants of revisions never run backwards, even where a clock does.
  const publishedAt = last && last.publishedAt > at ? last.publishedAt : at;
  const about = { revision, dataset: dataset.name, publishedAt, source, files, author, sample };
  const entry = { ...about, ...counts, report, newest: newestIn(database, table) };
  enter(database, { ...entry, checksum: checksumOf(entry, write.sum) });
  return { ...about, ...counts };
}

/**
 * Into an empty table, rows go faster without indexes, and an index of all rows at once is made
 * faster than row by row. The schema is part of the transaction: nobody sees it without.
 */
function indexesLater(database: Database, { dataset }: Change): () => void {
  const { now } = tableOf(dataset);
  if (database.query(`SELECT 1 FROM ${now} LIMIT 1`).get()) return () => {};
  const indexes = definitionsOf(dataset).filter(
    ({ kind, name }) => kind === 'index' && name.startsWith(`${now}_`),
  );
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`);
  return () => {
    for (const { sql } of indexes) database.run(sql);
  };
}

/** The newest day that the table holds, where its records have days. */
function newestIn(database: Database, { now, key: [first] }: Table): string | null {
  if (first?.column !== 'date') return null;
  const sql = `SELECT date FROM ${now} ORDER BY date DESC LIMIT 1`;
  return database.query<{ date: string }, []>(sql).get()?.date ?? null;
}

function refuseRepeated({ columns }: Row, table: Table): never {
  const key = table.key.map(
    ({ column }) => columns[table.columns.findIndex(({ name }) => name === column)] ?? '',
  );
  throw new DuplicateKey(`${named(table, key)} is given twice`);
}

function named({ key }: Table, values: Key): string {
  return `${key.map(({ column }) => column).join(', ')} = ${values.join(', ')}`;
}

import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import type { Change, Key, Publisher, Revision, Row } from '../store.ts';
import { DuplicateKey } from '../store.ts';
import { writable } from './connection.ts';

/** A publisher for the database at that path. */
export function sqlitePublisher(path: string): Publisher {
  const database = writable(path);
  const revisions = () => database.query<RevisionRow, []>(LEDGER).all().map(revisionOf);
  const atomically: Publisher['atomically'] = async (work) => {
    if (database.inTransaction) return work();
    database.run('BEGIN IMMEDIATE');
    try {
      const result = await work();
      database.run('COMMIT');
      return result;
    } finally {
      if (database.inTransaction) database.run('ROLLBACK');
    }
  };
  return {
    publish: (change) => atomically(async () => publish(database, change, revisions().at(-1))),
    atomically,
    revisions: async () => revisions(),
    close: () => database.close(),
  };
}

const LEDGER = 'SELECT * FROM revisions ORDER BY revision';

function publish(database: Database, change: Change, last?: Revision): Revision | undefined {
  const revision = (last?.revision ?? 0) + 1;
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const write = writerOf(database, tableOf(change.dataset), revision);
  for (const row of change.rows ?? []) counts[write.put(row)]++;
  for (const key of change.retired ?? []) counts[write.retire(key)]++;
  if (counts.added + counts.corrected + counts.retired === 0) return undefined;
  const at = (change.at ?? new Date()).toISOString();
  const published: Revision = {
    revision,
    dataset: change.dataset.name,
    // Instants of revisions never run backwards, even where a clock does.
    publishedAt: last && last.publishedAt > at ? last.publishedAt : at,
    source: change.source,
    author: change.author,
    sample: change.sample ?? false,
    ...counts,
  };
  record(database, published);
  return published;
}

/** Puts and retires single records of one table, within one revision. */
function writerOf(database: Database, table: Table, revision: number) {
  const { now, past, columns, key } = table;
  const names = columns.map(({ name }) => name);
  const keyNames = key.map(({ column }) => column);
  const keyAt = keyNames.map((name) => names.indexOf(name));
  const matches = keyNames.map((name) => `${name} = ?`).join(' AND ');
  const stored = [...names, 'record', 'since'].join(', ');
  const placeholders = Array(names.length + 2)
    .fill('?')
    .join(', ');
  const replaced = [...names, 'record', 'since'].filter((name) => !keyNames.includes(name));

  const current = database.query<{ record: string; since: number }, Key[number][]>(
    `SELECT record, since FROM ${now} WHERE ${matches}`,
  );
  const keep = database.query(
    `INSERT INTO ${past} (${stored}, until) SELECT ${stored}, ? FROM ${now} WHERE ${matches}`,
  );
  const put = database.query(
    `INSERT INTO ${now} (${stored}) VALUES (${placeholders}) ON CONFLICT (${keyNames.join(', ')})
     DO UPDATE SET ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
  const remove = database.query(`DELETE FROM ${now} WHERE ${matches}`);

  return {
    put({ columns, text }: Row): 'added' | 'corrected' | 'unchanged' {
      const rowKey = keyAt.map((index) => columns[index] ?? '');
      const standing = current.get(...rowKey);
      if (standing?.since === revision) {
        throw new DuplicateKey(`${keyNames.join(', ')} = ${rowKey.join(', ')} is given twice`);
      }
      if (standing?.record === text) return 'unchanged';
      if (standing) keep.run(revision, ...rowKey);
      put.run(...columns, text, revision);
      return standing ? 'corrected' : 'added';
    },
    retire(rowKey: Key): 'retired' | 'unchanged' {
      if (keep.run(revision, ...rowKey).changes === 0) return 'unchanged';
      remove.run(...rowKey);
      return 'retired';
    },
  };
}

function record(database: Database, entry: Revision): void {
  const { revision, dataset, publishedAt, source, author, sample } = entry;
  const { added, corrected, retired, unchanged } = entry;
  database
    .query('INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      revision,
      dataset,
      publishedAt,
      source,
      author,
      Number(sample),
      added,
      corrected,
      retired,
      unchanged,
    );
}

type RevisionRow = Omit<Revision, 'publishedAt' | 'sample'> & {
  readonly published_at: string;
  readonly sample: number;
};

function revisionOf({ published_at, sample, ...rest }: RevisionRow): Revision {
  return { ...rest, publishedAt: published_at, sample: sample === 1 };
}

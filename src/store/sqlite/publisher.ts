import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import type { Change, Key, Publisher, Revision, Row, Within } from '../store.ts';
import { DuplicateKey } from '../store.ts';
import { reaching, writable } from './connection.ts';

/** A publisher for the database at that path. */
export function sqlitePublisher(path: string): Publisher {
  const database = writable(path);
  const ledger = () => database.query<RevisionRow, []>(LEDGER).all().map(revisionOf);
  const within: Within = {
    publish: async (change) => publish(database, change),
    revisions: async () => reaching(ledger),
  };
  let queue: Promise<unknown> = Promise.resolve();
  // One at a time: what is under way on the connection is never joined by somebody else's work.
  const atomically: Publisher['atomically'] = (work) => {
    const turn = queue.then(() => transaction(database, () => work(within)));
    queue = turn.catch(() => {});
    return turn;
  };
  return {
    publish: (change) => atomically(({ publish }) => publish(change)),
    atomically,
    revisions: within.revisions,
    close: () => database.close(),
  };
}

const LEDGER = 'SELECT * FROM revisions ORDER BY revision';

async function transaction<T>(database: Database, work: () => Promise<T>): Promise<T> {
  reaching(() => database.run('BEGIN IMMEDIATE'));
  try {
    const result = await work();
    reaching(() => database.run('COMMIT'));
    return result;
  } finally {
    if (database.inTransaction) database.run('ROLLBACK');
  }
}

/** One change as one revision; a change that is refused leaves the transaction as it was. */
function publish(database: Database, change: Change): Revision | undefined {
  return reaching(database.transaction(() => revise(database, change)));
}

function revise(database: Database, change: Change): Revision | undefined {
  const last = database.query<RevisionRow, []>(`${LEDGER} DESC LIMIT 1`).get();
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
    publishedAt: last && last.published_at > at ? last.published_at : at,
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

  // Keys that leave no mark in the table: what is added or corrected has this revision there.
  const unmarked = new Set<string>();
  const once = (rowKey: Key, standing: { since: number } | null) => {
    const named = JSON.stringify(rowKey);
    if (standing?.since !== revision && !unmarked.has(named)) return named;
    throw new DuplicateKey(`${keyNames.join(', ')} = ${rowKey.join(', ')} is given twice`);
  };

  return {
    put({ columns, text }: Row): 'added' | 'corrected' | 'unchanged' {
      const rowKey = keyAt.map((index) => columns[index] ?? '');
      const standing = current.get(...rowKey);
      const named = once(rowKey, standing);
      if (standing?.record === text) {
        unmarked.add(named);
        return 'unchanged';
      }
      if (standing) keep.run(revision, ...rowKey);
      put.run(...columns, text, revision);
      return standing ? 'corrected' : 'added';
    },
    retire(rowKey: Key): 'retired' | 'unchanged' {
      unmarked.add(once(rowKey, current.get(...rowKey)));
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

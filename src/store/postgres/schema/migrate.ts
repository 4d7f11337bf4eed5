import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/dataset.ts';
import type { Definition } from '../../sql/dialect.ts';
import { definitionsOf, migrationsIn } from '../../sql/schema.ts';
import { StoreBusy, StoreRefused } from '../../store.ts';
import { distributing, isDistributed, ONE_AFTER_ANOTHER } from '../cluster/citus.ts';
import type { Asked } from '../connection.ts';
import { ask, outOfReach, stateOf } from '../connection.ts';
import { postgresTables } from '../dialect.ts';
import { takeStore } from '../lock.ts';
import { grants, lackingGrants } from './roles.ts';

const migrations = migrationsIn(postgresTables);

/** What is brought up to date beyond what reading and publishing need. */
export interface Extent {
  /** Whether roles get what they lack, where nothing else is missing. */
  readonly grants?: boolean;
  /** Whether records are spread over many machines, where they are not. */
  readonly distribute?: boolean;
}

/**
 * Brings the schema up to date: the numbered steps it has not had, and whatever the catalogue's
 * datasets lack. Of two starts at once, one does it and the other finds it done. Gives what it ran.
 */
export async function migrate(
  pool: SQL,
  catalogue: readonly Dataset[],
  extent: Extent = {},
): Promise<string[]> {
  if ((await missing(pool, catalogue, extent)).length === 0) return [];
  try {
    return await pool.begin(async (connection) => {
      await ask(connection, { sql: LOCK, values: [] });
      // Readers would queue behind a change of tables that itself waits for a publisher.
      if (!(await takeStore(connection)))
        throw new StoreBusy('another publisher holds the database');
      await ask(connection, { sql: `SET LOCAL lock_timeout = '${GLANCE_MS}ms'`, values: [] });
      // Asked again under the lock: another start may have been faster.
      const statements = await missing(connection, catalogue, extent);
      for (const sql of statements) await ask(connection, { sql, values: [] });
      return statements;
    });
  } catch (cause) {
    if (stateOf((cause as Error).cause) === LOCKED)
      throw new StoreBusy('the tables are in use', { cause });
    throw outOfReach(cause);
  }
}

/** How long a change of tables may be in the way of those who read them. */
const GLANCE_MS = 1_000;
/** The state of SQL of what waited for a lock in vain. */
const LOCKED = '55P03';

/** What a migration waits for while another one is at work. */
export const LOCK =
  "SELECT pg_advisory_xact_lock(hashtext('tenor migrate'), hashtext(current_schema()))";

/** The statements that the schema still needs; none when it is up to date. */
export async function missing(
  asked: Asked,
  catalogue: readonly Dataset[],
  extent: Extent = {},
): Promise<string[]> {
  const there = await relationsIn(asked);
  const done = await versionIn(asked, there);
  if (done > migrations.length) {
    throw new StoreRefused(
      `its schema is version ${done}, and this Tenor knows versions up to ${migrations.length}; use a newer Tenor`,
    );
  }
  const steps = migrations.slice(done);
  const counted = `UPDATE tenor_schema SET version = ${migrations.length}`;
  const own = catalogue.flatMap((dataset) =>
    definitionsOf(dataset, postgresTables).flatMap((definition) => lacking(there, definition)),
  );
  const all = [
    ...(done === 0 ? BEGINNING : []),
    ...steps,
    ...(steps.length ? [counted] : []),
    ...own,
  ];
  const isSpread = extent.distribute || (await isDistributed(asked));
  if (isSpread) all.push(...(await distributing(asked, catalogue)));
  if (all.length > 0) all.push(...grants(catalogue));
  else if (extent.grants) all.push(...(await lackingGrants(asked, catalogue)));
  return isSpread && all.length > 0 ? [ONE_AFTER_ANOTHER, ...all] : all;
}

/** Where the steps are counted. */
const BEGINNING = [
  'CREATE TABLE tenor_schema (version INTEGER NOT NULL)',
  'INSERT INTO tenor_schema VALUES (0)',
];

/** What the schema has, by name, with the mark that was put on it. */
async function relationsIn(asked: Asked): Promise<ReadonlyMap<string, string | null>> {
  const sql = `SELECT relname AS name, obj_description(oid, 'pg_class') AS mark FROM pg_class
    WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'i', 'I', 'v')`;
  const rows = (await ask(asked, { sql, values: [] })) as { name: string; mark: string | null }[];
  return new Map(rows.map(({ name, mark }) => [name, mark]));
}

async function versionIn(asked: Asked, there: ReadonlyMap<string, unknown>): Promise<number> {
  if (there.has('tenor_schema')) {
    const sql = 'SELECT version FROM tenor_schema';
    const [row] = (await ask(asked, { sql, values: [] })) as { version: number }[];
    return row?.version ?? 0;
  }
  const foreign = ['revisions', 'tokens', 'secrets'].find((name) => there.has(name));
  if (foreign !== undefined) {
    throw new StoreRefused(
      `it has a table "${foreign}" that is not Tenor's; give Tenor a database or a schema of its own`,
    );
  }
  await refuseEncoding(asked);
  return 0;
}

/** In any other encoding there are texts that cannot be kept, nor even asked for. */
async function refuseEncoding(asked: Asked): Promise<void> {
  const sql = "SELECT current_setting('server_encoding') AS encoding";
  const [row] = (await ask(asked, { sql, values: [] })) as { encoding: string }[];
  if (row?.encoding === 'UTF8') return;
  throw new StoreRefused(`its encoding is ${row?.encoding}; make one with ENCODING 'UTF8'`);
}

/** Views and indexes hold no data: one that has fallen behind is simply made anew. */
function lacking(
  there: ReadonlyMap<string, string | null>,
  { kind, name, sql }: Definition,
): string[] {
  const mark = markOf(sql);
  const word = kind.toUpperCase();
  const making = [sql, `COMMENT ON ${word} ${name} IS '${mark}'`];
  if (!there.has(name)) return making;
  if (kind === 'table' || there.get(name) === mark) return [];
  return [`DROP ${word} ${name}`, ...making];
}

/** PostgreSQL keeps what a definition means, not its text: a mark tells by which it was made. */
function markOf(sql: string): string {
  const digest = new Bun.CryptoHasher('sha256').update(sql.replace(/\s+/g, ' ')).digest('hex');
  return `made by Tenor, ${digest.slice(0, 16)}`;
}

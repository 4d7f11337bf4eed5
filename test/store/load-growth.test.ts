import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { retryUntil } from '../support/eventually.ts';
import {
  type LoadName,
  MEASURED_LOADS,
  ROW_KINDS,
  type RowKind,
  runLoads,
} from '../support/growing-loads.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { encodeRow } from '../support/publish-at.ts';
import {
  createPostgresStore,
  createStore,
  createTempFolder,
  type SqliteTestStore,
} from '../support/store.ts';

const ROWS = 200;
const KINDS = ROW_KINDS.map((kind) => [kind.name, kind] as const);

describe('a load into SQLite', () => {
  test.each(KINDS)(
    'of %s has no statement that searches for each row by less than its key, whatever history it has',
    async (_, kind) => {
      await using store = await createStore();
      const statements = await recordStatements(() => load(store, kind, 20));
      const plans = explainAll(store, statements);
      expect(plans.length).toBeGreaterThan(15);
      expect(plans.filter(({ steps }) => steps.some(isRepeatedScan))).toEqual([]);
    },
  );

  test.each(KINDS.filter(([, { dataset }]) => dataset.period))(
    'of a single correction does not read all records of %s',
    async (_, kind) => {
      await using store = await createStore();
      await load(store, kind, 40);
      const corrected = kind.buildRecord(3, 9);
      const statements = await recordStatements(() => store.publish(kind.dataset, [corrected]));
      const staged = await recordStatements(() => compareStaged(store, kind));
      const plans = explainAll(store, [...statements, ...staged]);
      const whole = /^SEARCH \w+ USING [\w ]+ \(dataset=\?\)/;
      expect(plans.filter(({ steps }) => steps.some(({ detail }) => whole.test(detail)))).toEqual(
        [],
      );
    },
  );
});

describe.skipIf(explainMissingPostgres() !== undefined)('a load into PostgreSQL', () => {
  test.each(KINDS)(
    'of four times as many %s reads about four times as many rows, whatever history they have',
    async (_, kind) => {
      const small = await countReadRows(kind, ROWS);
      const large = await countReadRows(kind, 4 * ROWS);
      const grown = MEASURED_LOADS.map((name) => [name, small.get(name), large.get(name)] as const);
      expect(grown.filter(([, before = 0, after = 0]) => after > MAX_GROWTH * before)).toEqual([]);
    },
    240_000,
  );
});

/** Sixteen if each row were compared with every other; short tables are read as a whole for each batch. */
const MAX_GROWTH = 8;

async function load(store: SqliteTestStore, kind: RowKind, rows: number): Promise<void> {
  await runLoads(store, kind, { rows, folder: createTempFolder() }, async (_, run) => {
    await run();
  });
}

/** Reads what a load compares its rows by. */
async function compareStaged(store: SqliteTestStore, { dataset, buildRecord }: RowKind) {
  const publisher = store.publisher();
  await publisher.transaction(async (transaction) => {
    const rows = [encodeRow(dataset, buildRecord(4, 9))];
    const { series } = await transaction.stage({ dataset, rows: [rows], source: '', author: '' });
    await Array.fromAsync(series.neighbours());
    await Array.fromAsync(series.corrected());
    transaction.abandon();
  });
  publisher.close();
}

/** The rows that the statements of each load read, in tables and indexes of any kind. */
async function countReadRows(kind: RowKind, rows: number): Promise<Map<LoadName, number>> {
  await using store = await createPostgresStore();
  const counts = new Map<LoadName, number>();
  const connection = new SQL(store.url, { max: 1 });
  const count = async () => {
    // A connection tells what it has read when it ends.
    await retryUntil(10_000, async () =>
      expect(await connection.unsafe(OTHER_CONNECTIONS)).toEqual([]),
    );
    return Number((await connection.unsafe(READ_ROWS))[0].rows);
  };
  await runLoads(store, kind, { rows, folder: createTempFolder() }, async (name, run) => {
    const before = await count();
    await run();
    counts.set(name, (await count()) - before);
  });
  await connection.close();
  return counts;
}

const OTHER_CONNECTIONS = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;
const READ_ROWS = `SELECT tup_returned + tup_fetched AS rows FROM pg_stat_database
  WHERE datname = current_database()`;

/** The statements that an operation prepares or runs, in their order, each once. */
async function recordStatements(operation: () => Promise<unknown>): Promise<readonly string[]> {
  const statements = new Set<string>();
  const { prepare, query, run } = Database.prototype;
  for (const [name, method] of Object.entries({ prepare, query, run }))
    Object.assign(Database.prototype, {
      [name](this: Database, sql: string, ...rest: unknown[]) {
        statements.add(sql);
        return Reflect.apply(method, this, [sql, ...rest]);
      },
    });
  try {
    await operation();
  } finally {
    Object.assign(Database.prototype, { prepare, query, run });
  }
  return [...statements];
}

interface Step {
  readonly parent: number;
  readonly id: number;
  readonly detail: string;
}

/** The plans of statements on record tables; those of temporary tables are made as they come. */
function explainAll({ path }: SqliteTestStore, statements: readonly string[]) {
  using database = new Database(path);
  return statements.flatMap((sql) => {
    if (!/^(SELECT|WITH|INSERT|UPDATE|DELETE|CREATE TEMP TABLE)/.test(sql)) return [];
    const [, temporary] = /^CREATE TEMP TABLE (\w+)/.exec(sql) ?? [];
    if (temporary !== undefined) database.run(`DROP TABLE IF EXISTS temp.${temporary}`);
    using statement = database.prepare<Step, []>(`EXPLAIN QUERY PLAN ${sql}`);
    const steps = statement.all();
    if (temporary !== undefined) database.run(sql, sql.includes('?') ? [0] : []);
    return [{ sql, steps }];
  });
}

/** Whether a step runs for each row of another one, and does not find its rows by their key. */
function isRepeatedScan({ parent, id, detail }: Step, _: number, steps: readonly Step[]): boolean {
  if (!/^(SCAN|SEARCH)/.test(detail) || detail.includes('revisions')) return false;
  const isInner = steps.some(
    (step) => step.parent === parent && step.id < id && /^(SCAN|SEARCH)/.test(step.detail),
  );
  const isCorrelated = steps.some((step) => step.id === parent && /^CORRELATED/.test(step.detail));
  const hasKey = /[( ](?!dataset|since|until)\w+[=<>]/.test(detail);
  return (isInner || isCorrelated) && !hasKey;
}

import { Database, type Statement } from 'bun:sqlite';
import { SQL } from 'bun';

/** The cost of each statement, by its text. */
export type StatementCosts = ReadonlyMap<string, number>;

/** A cost of statements, which does not depend on what else the machine does. */
export interface CostMeter {
  readonly unit: string;
  /** What a row may cost in any load: about as much as a few searches by its key. */
  readonly perRow: number;
  /** The costs of the statements of an operation. */
  measure(operation: () => Promise<unknown>): Promise<StatementCosts>;
}

const METHODS = ['all', 'get', 'run', 'values', 'iterate'] as const;
type Method = (...values: unknown[]) => unknown;

/** Processor time of every statement of SQLite in this process, from now on, wherever it is prepared. */
export function createSqliteMeter(): CostMeter {
  let times = new Map<string, number>();
  const timed = <T>(sql: string, operation: () => T): T => {
    const started = process.cpuUsage();
    try {
      return operation();
    } finally {
      const { user, system } = process.cpuUsage(started);
      times.set(sql, (times.get(sql) ?? 0) + (user + system) / 1_000);
    }
  };
  const wrap = (sql: string, statement: Statement): Statement => {
    const methods = statement as unknown as Record<string, Method>;
    for (const name of METHODS) {
      const method = methods[name]?.bind(statement) as Method;
      methods[name] = (...values) => {
        const result = timed(sql, () => method(...values));
        return name === 'iterate' ? iterate(sql, result as Iterator<unknown>) : result;
      };
    }
    return statement;
  };
  const iterate = function* (sql: string, rows: Iterator<unknown>) {
    for (;;) {
      const { done, value } = timed(sql, () => rows.next());
      if (done) return;
      yield value;
    }
  };
  const { prepare, query, run } = Database.prototype;
  const wrapped = new WeakSet<Statement>();
  const wrapOnce = (sql: string, statement: Statement) => {
    if (wrapped.has(statement)) return statement;
    wrapped.add(statement);
    return wrap(sql.replaceAll(/\d+/g, 'n'), statement);
  };
  for (const [name, method] of Object.entries({ prepare, query }))
    Object.assign(Database.prototype, {
      [name](this: Database, sql: string, ...values: unknown[]) {
        return wrapOnce(sql, Reflect.apply(method, this, [sql, ...values]) as Statement);
      },
    });
  Database.prototype.run = function (this: Database, sql: string, ...values: unknown[]) {
    return timed(sql, () => Reflect.apply(run, this, [sql, ...values]));
  } as typeof run;
  const measure: CostMeter['measure'] = async (operation) => {
    times = new Map();
    await operation();
    return times;
  };
  return { unit: 'ms of processor time', perRow: 0.01, measure };
}

/** The pages that the statements of a server touch, as `pg_stat_statements` counts them. */
export async function createPostgresMeter(url: string): Promise<CostMeter> {
  const execute = async (sql: string) => {
    const connection = new SQL(url, { max: 1 });
    return connection.unsafe(sql).finally(() => connection.close());
  };
  await execute('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const measure: CostMeter['measure'] = async (operation) => {
    await execute('SELECT pg_stat_statements_reset()');
    await operation();
    const rows: { query: string; pages: string }[] = await execute(
      `SELECT query, sum(shared_blks_hit + shared_blks_read + local_blks_hit + local_blks_read) AS pages
        FROM pg_stat_statements GROUP BY query`,
    );
    const costs = new Map<string, number>();
    for (const { query, pages } of rows) {
      // Each stream has a cursor of its own name, and each revision its number in some statements.
      const text = query.replaceAll(/\d+/g, 'n');
      costs.set(text, (costs.get(text) ?? 0) + Number(pages));
    }
    return costs;
  };
  return { unit: 'pages', perRow: 16, measure };
}

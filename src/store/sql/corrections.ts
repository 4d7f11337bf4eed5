import type { Dataset } from '../../catalogue/dataset.ts';
import type { Ordered, Table } from '../../derive/table.ts';
import { folded, tableOf } from '../../derive/table.ts';
import type { SecurityColumn } from '../selection.ts';
import type { Correction, Listing, WhichCorrections } from '../store.ts';
import { keyColumns, sameKey } from './changes.ts';
import type { Dialect } from './dialect.ts';
import { newestRevision } from './ledger.ts';
import type { Condition } from './standing.ts';
import { orderedList } from './standing.ts';
import type { Statement, Steps } from './steps.ts';
import { rowsOf } from './steps.ts';

/**
 * Records that were corrected or retired, newest revision first, then by key. What a revision
 * ended never changes afterwards: parts of the list that are asked for one by one fit together.
 */
export function* correctionsIn(
  dataset: Dataset,
  which: WhichCorrections,
  asOf: number | undefined,
  dialect: Dialect,
): Steps<Listing<Correction>> {
  const newest = yield* newestRevision();
  const revision = Math.min(asOf ?? newest, newest);
  const below = Math.min(which.before ?? revision + 1, revision + 1);
  const table = tableOf(dataset);
  const find = function* (by: SecurityColumn): Steps<readonly Ended[]> {
    const { sql, values } = endedBefore(table, which, below, by, dialect);
    return yield* rowsOf<Ended>(sql, values);
  };
  let found = yield* find('symbol_key');
  if (found.length === 0 && which.security !== undefined) {
    const quoted = yield everQuoted(table, which.security, below);
    if (quoted.length === 0) found = yield* find('isin_key');
  }
  return { revision, entries: yield* dated(dataset, found) };
}

interface Ended {
  readonly revision: number;
  readonly old: string;
  readonly replacement: string | null;
}

/** Each record that ended before a revision, with what took its place at once, if anything did. */
function endedBefore(
  table: Table,
  which: WhichCorrections,
  below: number,
  by: SecurityColumn,
  { isSpread }: Dialect,
): Statement {
  const { home: _, ...alone } = table;
  const { now, past, key } = alone;
  const { skip = 0, limit } = which;
  // Of one security or fund there are few: its own index finds them, and the sum keeps planners
  // from walking through all revisions instead, in the hope of meeting enough of them soon.
  const until = which.security === undefined && which.fund === undefined ? 'until' : 'until + 0';
  const conditions: Condition[] = [[`${until} < ?`, below], ...narrowing(which, by)];
  const order: Ordered[] = [{ column: until, descending: true }, ...key];
  const found = `FROM ${past} AS old WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
    ORDER BY ${orderedList(order)} LIMIT cast(? AS INTEGER) OFFSET cast(? AS INTEGER)`;
  // Indexes alone tell which records are wanted, so that only those are looked at. In a cluster
  // records are looked up where they are kept, which those indexes do not tell.
  const keyed = isSpread ? table : alone;
  const version = (of: string, since: string) =>
    `(SELECT own.record FROM ${of} AS own WHERE ${sameKey(keyed, 'own', 'old')} AND own.since = old.${since})`;
  const keys = [...keyColumns(keyed), 'since', 'until'].join(', ');
  return {
    sql: `SELECT old.until AS revision, ${isSpread ? 'old.record' : version(past, 'since')} AS old,
      coalesce(${version(now, 'until')}, ${version(past, 'until')}) AS replacement
      ${isSpread ? found : `FROM (SELECT ${keys} ${found}) AS old`}`,
    values: [...conditions.flatMap(([, ...values]) => values), limit, skip],
  };
}

function narrowing({ security, fund, from, to }: WhichCorrections, by: SecurityColumn) {
  const conditions: Condition[] = [];
  if (security !== undefined) conditions.push([`${by} = ?`, folded(security)]);
  if (fund !== undefined) conditions.push(['fund_key = ?', folded(fund)]);
  if (from !== undefined) conditions.push(['date >= ?', from]);
  if (to !== undefined) conditions.push(['date <= ?', to]);
  return conditions;
}

/**
 * Whether a symbol had any record before a revision, standing or not. So whoever goes on from a
 * correction of one, with an earlier revision, goes on by the same column.
 */
function everQuoted({ now, past }: Table, security: string, below: number): Statement {
  const from = (half: string) => `SELECT 1 FROM ${half} WHERE symbol_key = ? AND since < ?`;
  const values = [folded(security), below];
  return { sql: `${from(now)} UNION ALL ${from(past)} LIMIT 1`, values: [...values, ...values] };
}

/** The corrections, each with when it was published. */
function* dated({ name }: Dataset, found: readonly Ended[]): Steps<Correction[]> {
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return [];
  const ledger = yield* rowsOf<{ revision: number; instant: string }>(
    `SELECT revision, published_at AS instant FROM revisions
      WHERE dataset = ? AND revision BETWEEN ? AND ?`,
    [name, last.revision, first.revision],
  );
  const instants = new Map(ledger.map(({ revision, instant }) => [revision, instant]));
  return found.map(({ revision, old, replacement }) => ({
    revision,
    publishedAt: instants.get(revision) ?? '',
    change: replacement === null ? 'retired' : 'corrected',
    old,
    new: replacement,
  }));
}

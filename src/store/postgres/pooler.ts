import { SQL } from 'bun';

/*
 * A connection pooler such as PgBouncer rejects settings that come with a connection, since its
 * connections to the server are shared; in transaction mode, a statement that was prepared on one of
 * them may be unknown on the next. Which URLs lead to a pooler is found out by its first error.
 */

const poolerUrls = new Set<string>();

export function isPooler(url: string): boolean {
  return poolerUrls.has(url);
}

/** Whether an error shows for the first time that a URL leads to a pooler: then connect again. */
export function detectPooler(url: string, cause: unknown): boolean {
  const { errno, message } = findPostgresError(cause) ?? {};
  const isFromPooler =
    (errno === PROTOCOL_VIOLATION && message?.startsWith('unsupported startup parameter')) ||
    errno === UNKNOWN_STATEMENT ||
    errno === DUPLICATE_STATEMENT;
  if (!isFromPooler || poolerUrls.has(url)) return false;
  poolerUrls.add(url);
  return true;
}

const PROTOCOL_VIOLATION = '08P01';
const UNKNOWN_STATEMENT = '26000';
const DUPLICATE_STATEMENT = '42P05';

function findPostgresError(cause: unknown): SQL.PostgresError | undefined {
  if (cause instanceof SQL.PostgresError) return cause;
  return cause instanceof Error ? findPostgresError(cause.cause) : undefined;
}

/** No settings, and no prepared statements unless the URL says `prepare=true`. */
export function getPoolerOptions(url: string): { prepare?: false } {
  return new URL(url).searchParams.has('prepare') ? {} : { prepare: false };
}

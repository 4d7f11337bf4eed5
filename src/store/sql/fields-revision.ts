import type { EngineName } from './dialect.ts';

const AUTHOR = 'tenor migrate';
const SOURCE = 'fields of shipped datasets';

/** The revision that added fields to shipped datasets; null in a database made with them. */
export const FIELDS_REVISION_SQL = `SELECT min(revision) FROM revisions
  WHERE author = '${AUTHOR}' AND source = '${SOURCE}' AND checksum IS NULL`;

/** Whether an entry of the ledger is that revision, which has no checksum: no migration computes one. */
export function isFieldsRevision(entry: { readonly author: string; readonly source: string }) {
  return entry.author === AUTHOR && entry.source === SOURCE;
}

/** Expressions of each engine: the present instant, and the greater of two texts. */
const EXPRESSIONS = {
  sqlite: { now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')", later: 'max' },
  postgres: {
    now: `to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    later: 'greatest',
  },
} as const satisfies Record<EngineName, unknown>;

/** A statement of a migration, which enters that revision in the ledger unless it is empty. */
export function enterFieldsRevisionSql(dataset: string, engine: EngineName): string {
  const { now, later } = EXPRESSIONS[engine];
  const isSample = `SELECT sample FROM revisions WHERE dataset = '${dataset}' ORDER BY revision DESC LIMIT 1`;
  return `INSERT INTO revisions (revision, dataset, published_at, source, author, sample, added, corrected, retired, unchanged)
    SELECT max(revision) + 1, '${dataset}', ${later}(${now}, max(published_at)), '${SOURCE}', '${AUTHOR}',
      coalesce((${isSample}), 0), 0, 0, 0, 0
    FROM revisions HAVING count(*) > 0`;
}

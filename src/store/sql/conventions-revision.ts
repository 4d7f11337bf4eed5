import { EXPRESSIONS } from './archived-terms.ts';
import type { EngineMigration, EngineName } from './dialect.ts';

const AUTHOR = 'tenor migrate';
const SOURCE = 'conventions in terms of securities';

/** The revision that added the fields of conventions to `securities`; null in a database made with them. */
export const CONVENTIONS_REVISION_SQL = `SELECT min(revision) FROM revisions
  WHERE dataset = 'securities' AND author = '${AUTHOR}' AND source = '${SOURCE}' AND checksum IS NULL`;

/** Whether an entry of the ledger is that revision, which has no checksum: no migration computes one. */
export function isConventionsRevision(entry: { readonly author: string; readonly source: string }) {
  return entry.author === AUTHOR && entry.source === SOURCE;
}

/** Enters a revision in the ledger that changes no stored record, unless the database is new. */
function buildMigration(engine: EngineName): EngineMigration {
  const { now, later } = EXPRESSIONS[engine];
  const isSample = `SELECT sample FROM revisions WHERE dataset = 'securities' ORDER BY revision DESC LIMIT 1`;
  const sql = `INSERT INTO revisions (revision, dataset, published_at, source, author, sample, added, corrected, retired, unchanged)
    SELECT max(revision) + 1, 'securities', ${later}(${now}, max(published_at)), '${SOURCE}', '${AUTHOR}',
      coalesce((${isSample}), 0), 0, 0, 0, 0
    FROM revisions HAVING count(*) > 0`;
  return { engine, sql };
}

export const ADD_CONVENTIONS_MIGRATIONS = [buildMigration('sqlite'), buildMigration('postgres')];

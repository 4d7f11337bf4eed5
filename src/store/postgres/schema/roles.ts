import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import {
  CANDIDATE_TABLES,
  LEDGER_SIGNERS_TABLE,
  listStoredTables,
  SECRETS_TABLE,
} from '../../sql/stored-tables.ts';
import { PENDING_REVISIONS_TABLE } from '../citus/distribute.ts';
import { getStagingTable, listStagedTables } from '../citus/staged-operations.ts';
import { execute, type SqlExecutor } from '../query.ts';

/** The role for a server: it reads, and records when tokens were used. */
const READER_ROLE = 'tenor_reader';
/** The role for commands: it publishes, and issues tokens. */
const PUBLISHER_ROLE = 'tenor_publisher';

/** Statements that grant the two roles what they need, if they exist. */
export function buildGrants(catalogue: readonly Dataset[]): string[] {
  return [
    ...[READER_ROLE, PUBLISHER_ROLE].map((role) =>
      ifRoleExists(
        `rolname = '${role}'`,
        `EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${role}', current_schema())`,
      ),
    ),
    ...listPrivileges(catalogue).map(({ role, privileges, tables }) =>
      ifRoleExists(
        `rolname = '${role}'`,
        `GRANT ${privileges.join(', ')} ON ${tables.join(', ')} TO ${role}`,
      ),
    ),
    GRANT_LAST_USED_UPDATE,
    ...[PENDING_REVISIONS_TABLE, ...listStagedTables(catalogue).map(getStagingTable)].map((name) =>
      ifRoleExists(
        `rolname = '${PUBLISHER_ROLE}' AND to_regclass('${name}') IS NOT NULL`,
        `GRANT SELECT, INSERT, DELETE, TRUNCATE ON ${name} TO ${PUBLISHER_ROLE}`,
      ),
    ),
  ];
}

/** Citus cannot grant a column: a server then does not record when tokens were used. */
const GRANT_LAST_USED_UPDATE = `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN
    GRANT UPDATE (last_used_at) ON tokens TO ${READER_ROLE};
  END IF;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$`;

const SELECT_LACKING_LAST_USED = `SELECT 1 AS one FROM pg_roles WHERE rolname = '${READER_ROLE}'
  AND NOT has_column_privilege(oid, 'tokens', 'last_used_at', 'UPDATE')`;

/** The same, if one of the roles lacks a privilege; all tables must exist. */
export async function findMissingGrants(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
  isDistributed: boolean,
): Promise<string[]> {
  const lacking = listPrivileges(catalogue).flatMap(({ role, privileges, tables }) =>
    privileges.map(
      (privilege) => `SELECT 1 AS one FROM pg_roles, unnest(ARRAY['${tables.join("', '")}']) AS name
        WHERE rolname = '${role}' AND NOT has_table_privilege(oid, name, '${privilege}')`,
    ),
  );
  if (!isDistributed) lacking.push(SELECT_LACKING_LAST_USED);
  const rows = await execute(executor, `${lacking.join(' UNION ALL ')} LIMIT 1`);
  return rows.length === 0 ? [] : buildGrants(catalogue);
}

/** For publishers only. */
const PRIVATE_TABLES: readonly string[] = [LEDGER_SIGNERS_TABLE, ...CANDIDATE_TABLES];

/** What each role may do with which tables. */
function listPrivileges(catalogue: readonly Dataset[]) {
  const stored = listStoredTables(catalogue);
  const views = catalogue.map((dataset) => getStorageTable(dataset).view);
  const all = [...stored, 'tenor_schema', ...views];
  const written = stored.filter((name) => name !== SECRETS_TABLE);
  return [
    {
      role: READER_ROLE,
      privileges: ['SELECT'],
      tables: all.filter((name) => !PRIVATE_TABLES.includes(name)),
    },
    { role: PUBLISHER_ROLE, privileges: ['SELECT'], tables: all },
    { role: PUBLISHER_ROLE, privileges: ['INSERT', 'UPDATE', 'DELETE'], tables: written },
  ];
}

function ifRoleExists(condition: string, grant: string): string {
  return `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE ${condition}) THEN
    ${grant};
  END IF;
END $$`;
}

import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../../schema/auxiliary-table.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import { PENDING_REVISIONS_TABLE } from '../citus/distribute.ts';
import type { SqlExecutor } from '../connection.ts';
import { query } from '../connection.ts';

/** The role that a server can be given: it reads, and notes when tokens were used. */
export const READER_ROLE = 'tenor_reader';
/** The role that commands can be given: it publishes, and issues tokens. */
const PUBLISHER_ROLE = 'tenor_publisher';

/** Statements that give the two roles what they need, where the server has them. */
export function buildGrants(catalogue: readonly Dataset[]): string[] {
  const { all, written } = listTables(catalogue);
  const grant = (privileges: string, tables: readonly string[], role: string) =>
    ifRoleExists(`rolname = '${role}'`, `GRANT ${privileges} ON ${tables.join(', ')} TO ${role}`);
  return [
    ...[READER_ROLE, PUBLISHER_ROLE].map((role) =>
      ifRoleExists(
        `rolname = '${role}'`,
        `EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${role}', current_schema())`,
      ),
    ),
    grant('SELECT', all, READER_ROLE),
    GRANT_LAST_USED_UPDATE,
    grant('SELECT', all, PUBLISHER_ROLE),
    grant('INSERT, UPDATE, DELETE', written, PUBLISHER_ROLE),
    ifRoleExists(
      `rolname = '${PUBLISHER_ROLE}' AND to_regclass('${PENDING_REVISIONS_TABLE}') IS NOT NULL`,
      `GRANT SELECT, INSERT, DELETE ON ${PENDING_REVISIONS_TABLE} TO ${PUBLISHER_ROLE}`,
    ),
  ];
}

/** Citus 12 cannot grant a column. A server that may not note when tokens were used does without. */
const GRANT_LAST_USED_UPDATE = `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN
    GRANT UPDATE (last_used_at) ON tokens TO ${READER_ROLE};
  END IF;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$`;

/** The same where one of the roles lacks something; all tables must be there. */
export async function findMissingGrants(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<string[]> {
  const { all, written } = listTables(catalogue);
  const without = (role: string, privilege: string, tables: readonly string[]) =>
    `SELECT 1 AS one FROM pg_roles, unnest(ARRAY['${tables.join("', '")}']) AS name
      WHERE rolname = '${role}' AND NOT has_table_privilege(oid, name, '${privilege}')`;
  const writing = ['INSERT', 'UPDATE', 'DELETE'].map((privilege) =>
    without(PUBLISHER_ROLE, privilege, written),
  );
  const lacking = [
    without(READER_ROLE, 'SELECT', all),
    `SELECT 1 AS one FROM pg_roles WHERE rolname = '${READER_ROLE}'
      AND NOT has_column_privilege(oid, 'tokens', 'last_used_at', 'UPDATE')`,
    without(PUBLISHER_ROLE, 'SELECT', all),
    ...writing,
  ];
  const rows = await query(executor, { sql: `${lacking.join(' UNION ALL ')} LIMIT 1`, values: [] });
  return rows.length === 0 ? [] : buildGrants(catalogue);
}

/** The tables and views that are read, and those of them that are written. */
function listTables(catalogue: readonly Dataset[]) {
  const own = catalogue.flatMap((dataset) => {
    const { currentTable, historyTable, view } = getStorageTable(dataset);
    const beside = getAuxiliaryTable(dataset);
    return {
      views: [view],
      tables: [
        currentTable,
        historyTable,
        ...(beside ? [beside.currentTable, beside.historyTable] : []),
      ],
    };
  });
  const written = [...new Set(['revisions', 'tokens', ...own.flatMap(({ tables }) => tables)])];
  const views = own.flatMap((each) => each.views);
  return { written, all: ['secrets', 'tenor_schema', ...written, ...views] };
}

function ifRoleExists(role: string, grant: string): string {
  return `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE ${role}) THEN
    ${grant};
  END IF;
END $$`;
}

import type { Dataset } from '../../../catalogue/dataset.ts';
import { tableBeside, tableOf } from '../../../derive/table.ts';
import { UNSETTLED } from '../cluster/citus.ts';
import type { Asked } from '../connection.ts';
import { ask } from '../connection.ts';

/** The role that a server can be given: it reads, and notes when tokens were used. */
export const READER = 'tenor_reader';
/** The role that commands can be given: it publishes, and issues tokens. */
const PUBLISHER = 'tenor_publisher';

/** Statements that give the two roles what they need, where the server has them. */
export function grants(catalogue: readonly Dataset[]): string[] {
  const { all, written } = tablesIn(catalogue);
  const grant = (privileges: string, tables: readonly string[], role: string) =>
    where(`rolname = '${role}'`, `GRANT ${privileges} ON ${tables.join(', ')} TO ${role}`);
  return [
    ...[READER, PUBLISHER].map((role) =>
      where(
        `rolname = '${role}'`,
        `EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${role}', current_schema())`,
      ),
    ),
    grant('SELECT', all, READER),
    NOTING,
    grant('SELECT', all, PUBLISHER),
    grant('INSERT, UPDATE, DELETE', written, PUBLISHER),
    where(
      `rolname = '${PUBLISHER}' AND to_regclass('${UNSETTLED}') IS NOT NULL`,
      `GRANT SELECT, INSERT, DELETE ON ${UNSETTLED} TO ${PUBLISHER}`,
    ),
  ];
}

/** Citus 12 cannot grant a column. A server that may not note when tokens were used does without. */
const NOTING = `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER}') THEN
    GRANT UPDATE (last_used_at) ON tokens TO ${READER};
  END IF;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$`;

/** The same where one of the roles lacks something; all tables must be there. */
export async function lackingGrants(
  asked: Asked,
  catalogue: readonly Dataset[],
): Promise<string[]> {
  const { all, written } = tablesIn(catalogue);
  const without = (role: string, privilege: string, tables: readonly string[]) =>
    `SELECT 1 AS one FROM pg_roles, unnest(ARRAY['${tables.join("', '")}']) AS name
      WHERE rolname = '${role}' AND NOT has_table_privilege(oid, name, '${privilege}')`;
  const writing = ['INSERT', 'UPDATE', 'DELETE'].map((privilege) =>
    without(PUBLISHER, privilege, written),
  );
  const lacking = [
    without(READER, 'SELECT', all),
    `SELECT 1 AS one FROM pg_roles WHERE rolname = '${READER}'
      AND NOT has_column_privilege(oid, 'tokens', 'last_used_at', 'UPDATE')`,
    without(PUBLISHER, 'SELECT', all),
    ...writing,
  ];
  const rows = await ask(asked, { sql: `${lacking.join(' UNION ALL ')} LIMIT 1`, values: [] });
  return rows.length === 0 ? [] : grants(catalogue);
}

/** The tables and views that are read, and those of them that are written. */
function tablesIn(catalogue: readonly Dataset[]) {
  const own = catalogue.flatMap((dataset) => {
    const { now, past, view } = tableOf(dataset);
    const beside = tableBeside(dataset);
    return { views: [view], tables: [now, past, ...(beside ? [beside.now, beside.past] : [])] };
  });
  const written = [...new Set(['revisions', 'tokens', ...own.flatMap(({ tables }) => tables)])];
  const views = own.flatMap((each) => each.views);
  return { written, all: ['secrets', 'tenor_schema', ...written, ...views] };
}

function where(role: string, grant: string): string {
  return `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE ${role}) THEN
    ${grant};
  END IF;
END $$`;
}

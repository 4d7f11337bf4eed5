import type { Dataset } from '../../catalogue/dataset.ts';
import { tableBeside, tableOf } from '../../derive/table.ts';

/** The role that a server can be given: it reads, and notes when tokens were used. */
export const READER = 'tenor_reader';
/** The role that commands can be given: it publishes, and issues tokens. */
export const PUBLISHER = 'tenor_publisher';

/** Statements that give the two roles what they need, where the cluster has them. */
export function grants(catalogue: readonly Dataset[]): string[] {
  const served = catalogue.flatMap((dataset) => {
    const { now, past, view } = tableOf(dataset);
    return [now, past, view];
  });
  const beside = catalogue.flatMap((dataset) => {
    const table = tableBeside(dataset);
    return table ? [table.now, table.past] : [];
  });
  const ledger = ['revisions', 'tokens', 'secrets', 'tenor_schema'];
  const all = [...new Set([...ledger, ...served, ...beside])];
  const written = all.filter((name) => !['secrets', 'tenor_schema'].includes(name));
  return [
    where(READER, `GRANT SELECT ON ${all.join(', ')} TO ${READER}`),
    where(READER, `GRANT UPDATE (last_used_at) ON tokens TO ${READER}`),
    where(PUBLISHER, `GRANT SELECT ON ${all.join(', ')} TO ${PUBLISHER}`),
    where(PUBLISHER, `GRANT INSERT, UPDATE, DELETE ON ${written.join(', ')} TO ${PUBLISHER}`),
  ];
}

function where(role: string, grant: string): string {
  return `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
    ${grant};
  END IF;
END $$`;
}

import type { Dataset } from '../../catalogue/dataset.ts';
import type { Inspector, Reach, Store } from '../store.ts';
import { addressOf } from './address.ts';
import { postgresInspector } from './inspector.ts';
import { postgresPublisher } from './publishing/publisher.ts';
import { postgresReader } from './reader.ts';
import { found, prepared } from './schema/prepare.ts';
import { serversAt } from './servers/servers.ts';
import { sharing } from './servers/sharing.ts';
import { postgresTokens } from './tokens.ts';

export { isPostgres } from './address.ts';
export { migratePostgres } from './schema/prepare.ts';

/** How many connections readers share, where nothing else is said. */
const POOL_SIZE = 8;

/** Opens the database at an address, making its tables where there are none. */
export async function openPostgres(
  url: string,
  catalogue: readonly Dataset[],
  { replicas = [], poolSize = POOL_SIZE, onCondition }: Reach,
): Promise<Store> {
  const dialect = await prepared([url, ...replicas], catalogue);
  // What reads and what keeps tokens is in touch with the servers through the same connections.
  const servers = sharing(() =>
    serversAt([url, ...replicas], { poolSize, ...dialect }, onCondition),
  );
  return {
    localTokenFile: `data/${addressOf(url).replace(/[^\w.-]+/g, '-')}.token`,
    reader: () => postgresReader(servers(), dialect),
    publisher: (patience) => postgresPublisher(servers(), dialect, catalogue, patience),
    inspector: () => postgresInspector(url, catalogue),
    tokens: () => postgresTokens(servers()),
  };
}

/** Looks into the database at an address as it is. */
export async function inspectPostgres(
  url: string,
  catalogue: readonly Dataset[],
): Promise<Inspector> {
  await found(url, catalogue);
  return postgresInspector(url, catalogue);
}

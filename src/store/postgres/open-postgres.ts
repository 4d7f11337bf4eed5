import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StoreInspector } from '../inspector.ts';
import type { Store, StoreConnectionOptions } from '../store.ts';
import { createPostgresInspector } from './inspector.ts';
import { createPostgresPublisher } from './publishing/publisher.ts';
import { createPostgresReader } from './reader.ts';
import { assertTenorDatabase, prepareSchema } from './schema/prepare-schema.ts';
import { createRefCounted } from './server-pool/ref-counted.ts';
import { createServerPool } from './server-pool/server-pool.ts';
import { createPostgresTokenStore } from './token-store.ts';
import { formatPublicAddress } from './url.ts';

export { migratePostgres } from './schema/prepare-schema.ts';
export { isPostgresUrl } from './url.ts';

const DEFAULT_POOL_SIZE = 8;

/** Opens the database of a URL; creates its tables where there are none. */
export async function openPostgres(
  url: string,
  catalogue: readonly Dataset[],
  { replicas = [], poolSize = DEFAULT_POOL_SIZE, onHealthChange }: StoreConnectionOptions,
): Promise<Store> {
  const dialect = await prepareSchema([url, ...replicas], catalogue);
  // Readers, publishers and token stores share the connections and heartbeats.
  const servers = createRefCounted(() =>
    createServerPool([url, ...replicas], { poolSize, ...dialect }, onHealthChange),
  );
  return {
    localTokenFile: `data/${formatPublicAddress(url).replace(/[^\w.-]+/g, '-')}.token`,
    reader: () => createPostgresReader(servers(), dialect),
    publisher: (lockWait) => createPostgresPublisher(servers(), dialect, catalogue, lockWait),
    inspector: () => createPostgresInspector(url, catalogue),
    tokens: () => createPostgresTokenStore(servers()),
  };
}

export async function openPostgresInspector(
  url: string,
  catalogue: readonly Dataset[],
): Promise<StoreInspector> {
  await assertTenorDatabase(url, catalogue);
  return createPostgresInspector(url, catalogue);
}

import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getLocalTokenFile } from '../../shared/database-folders.ts';
import { getLocalName } from '../../shared/postgres-url.ts';
import type { StoreInspector } from '../inspector.ts';
import type { StoreReader } from '../reader.ts';
import type { Dialect } from '../sql/dialect.ts';
import { getSchemaVersion } from '../sql/migrations.ts';
import type { Store, StoreOpenOptions } from '../store.ts';
import { createPostgresCandidateStore } from './candidate-store.ts';
import type { Connector, PoolOptions } from './connection-pool.ts';
import { createPostgresInspector } from './inspector.ts';
import { createPostgresPublisher } from './publishing/publisher.ts';
import { createPostgresReader, type PostgresSource } from './reader.ts';
import { assertInspectable, findPrimaryFirst, prepareSchema } from './schema/prepare-schema.ts';
import { ServerPool } from './server-pool/server-pool.ts';
import { createPostgresTokenStore } from './token-store.ts';

export { migratePostgres } from './schema/prepare-schema.ts';

const DEFAULT_POOL_SIZE = 8;

export async function openPostgres(
  url: string,
  catalogue: readonly Dataset[],
  options: StoreOpenOptions,
): Promise<Store> {
  const urls = [...(await findPrimaryFirst(url)), ...(options.replicas ?? [])];
  const dialect = await prepareSchema(urls, catalogue, options);
  return createPostgresStore({ url, urls, dialect, catalogue }, options);
}

/** The servers of a store, the primary first, and the URL that they were found by. */
interface StoreServers {
  readonly url: string;
  readonly urls: readonly string[];
  readonly dialect: Dialect;
  readonly catalogue: readonly Dataset[];
}

type ConnectionOptions = Pick<StoreOpenOptions, 'poolSize' | 'onHealthChange'> &
  Pick<PoolOptions, 'connector'>;

/** A store whose schema is known to be up to date. */
export function createPostgresStore(
  { url, urls, dialect, catalogue }: StoreServers,
  { poolSize = DEFAULT_POOL_SIZE, onHealthChange, connector }: ConnectionOptions,
): Store {
  // Readers, publishers and token stores share the connections and heartbeats.
  const maxLongReads = Math.max(1, Math.floor(poolSize / 2));
  const poolOptions = { poolSize, maxLongReads, connector, ...dialect };
  const withServers = shareServers(() => new ServerPool(urls, poolOptions, onHealthChange));
  const source = { urls, dialect };
  const store: Store = {
    schema: { engine: 'PostgreSQL', version: getSchemaVersion() },
    localTokenFile: getLocalTokenFile(getLocalName(url)),
    readerSource: source,
    reader: (options) =>
      withServers((servers, close) => createPostgresReader(servers, source, close, options)),
    // The servers stay the same; a new reader reads the history that they have now.
    reopen: async () => store,
    publisher: (options) =>
      withServers((servers, close) =>
        createPostgresPublisher({ servers, dialect, catalogue, close }, options),
      ),
    inspector: () => createPostgresInspector(urls[0] ?? '', dialect, catalogue),
    tokens: () => withServers(createPostgresTokenStore),
    candidates: () => withServers(createPostgresCandidateStore),
  };
  return store;
}

/** As many as jobs run at a time in the background. */
const BACKGROUND_POOL_SIZE = 4;

/** A reader with connections of its own, so that long queries do not use up those of short ones. */
export function openPostgresReader(source: PostgresSource, connector?: Connector): StoreReader {
  const options = { poolSize: BACKGROUND_POOL_SIZE, connector, ...source.dialect };
  const servers = new ServerPool(source.urls, options);
  servers.state.storeId = source.storeId;
  return createPostgresReader(servers, source);
}

export async function openPostgresInspector(
  url: string,
  catalogue: readonly Dataset[],
): Promise<StoreInspector> {
  const [first = ''] = await findPrimaryFirst(url);
  return createPostgresInspector(first, await assertInspectable(first, catalogue), catalogue);
}

/** Shares one pool: created at the first use, closed when all who use it have called `close`. */
function shareServers(
  create: () => ServerPool,
): <T>(use: (servers: ServerPool, close: () => void) => T) => T {
  let shared: ServerPool | undefined;
  let users = 0;
  return (use) => {
    shared ??= create();
    const servers = shared;
    let isOpen = true;
    users++;
    return use(servers, () => {
      if (!isOpen) return;
      isOpen = false;
      if (--users > 0) return;
      shared = undefined;
      servers.close();
    });
  };
}

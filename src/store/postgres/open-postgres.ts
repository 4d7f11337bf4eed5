import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StoreReader } from '../reader.ts';
import type { ReaderSource, Store, StoreInspector, StoreOpenOptions } from '../store.ts';
import { formatPublicAddress } from './connection-pool.ts';
import { createPostgresInspector } from './inspector.ts';
import { createPostgresPublisher } from './publishing/publisher.ts';
import { createPostgresReader } from './reader.ts';
import { assertInspectable, prepareSchema } from './schema/prepare-schema.ts';
import { createServerPool } from './server-pool/server-pool.ts';
import { createPostgresTokenStore } from './token-store.ts';

const DEFAULT_POOL_SIZE = 8;

export async function openPostgres(
  url: string,
  catalogue: readonly Dataset[],
  options: StoreOpenOptions,
): Promise<Store> {
  const { replicas = [], poolSize = DEFAULT_POOL_SIZE, onHealthChange } = options;
  const dialect = await prepareSchema([url, ...replicas], catalogue, options);
  // Readers, publishers and token stores share the connections and heartbeats.
  const servers = createRefCounted(() =>
    createServerPool([url, ...replicas], { poolSize, ...dialect }, onHealthChange),
  );
  return {
    localTokenFile: `data/${formatPublicAddress(url).replace(/[^\w.-]+/g, '-')}.token`,
    readerSource: { urls: [url, ...replicas], dialect },
    reader: () => createPostgresReader(servers(), dialect),
    reopen: () => openPostgres(url, catalogue, { ...options, preparation: 'none' }),
    publisher: (options) => createPostgresPublisher(servers(), dialect, catalogue, options),
    inspector: () => createPostgresInspector(url, catalogue),
    tokens: () => createPostgresTokenStore(servers()),
  };
}

/** As many as jobs run at a time in the background. */
const BACKGROUND_POOL_SIZE = 4;

/** A reader with connections of its own, so that long queries do not use up those of short ones. */
export function openPostgresReader({ urls, dialect }: PostgresReaderSource): StoreReader {
  const options = { poolSize: BACKGROUND_POOL_SIZE, ...dialect };
  return createPostgresReader(createServerPool(urls, options), dialect);
}

type PostgresReaderSource = Extract<ReaderSource, { urls: unknown }>;

export async function openPostgresInspector(
  url: string,
  catalogue: readonly Dataset[],
): Promise<StoreInspector> {
  await assertInspectable(url, catalogue);
  return createPostgresInspector(url, catalogue);
}

/** Shares one instance: created at the first call, closed when all who called have closed it. */
function createRefCounted<T extends { close(): void }>(create: () => T): () => T {
  let shared: T | undefined;
  let users = 0;
  return () => {
    shared ??= create();
    const instance = shared;
    let isOpen = true;
    users++;
    return {
      ...instance,
      close() {
        if (!isOpen) return;
        isOpen = false;
        if (--users > 0) return;
        shared = undefined;
        instance.close();
      },
    };
  };
}

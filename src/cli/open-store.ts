import { catalogue } from '../catalogue/index.ts';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import type {
  LockWaitOptions,
  Store,
  StoreConnectionOptions,
  TokenStore,
} from '../store/open-store.ts';
import { openStore } from '../store/open-store.ts';
import { retryWhileBusy } from '../store/retry-while-busy.ts';

const DEFAULT_LOCK_WAIT_MS = 600_000;

/** How a command waits for another publisher: it says so, once, on standard error. */
export function createLockWaitOptions(
  waitMs = DEFAULT_LOCK_WAIT_MS,
  signal?: AbortSignal,
): LockWaitOptions {
  let isReported = false;
  const onWait = () => {
    if (isReported) return;
    isReported = true;
    process.stderr.write('tenor: another publisher holds the database; waiting for it\n');
  };
  return { waitMs, onWait, ...(signal && { signal }) };
}

/** Opens the store; it waits only where the schema is to be brought up to date. */
export function openConfiguredStore(
  settings: Parameters<typeof getConnectionOptions>[0] & Pick<Settings, 'databaseUrl'>,
  lockWait: LockWaitOptions,
  emit?: EmitEvent,
): Promise<Store> {
  const reach = getConnectionOptions(settings, emit);
  return retryWhileBusy(lockWait, () => openStore(settings.databaseUrl, catalogue, reach));
}

/** How the settings say that the store is reached. */
export function getConnectionOptions(
  { databaseReplicas, databasePool }: Pick<Settings, 'databaseReplicas' | 'databasePool'>,
  emit?: EmitEvent,
): StoreConnectionOptions {
  return {
    replicas: databaseReplicas,
    poolSize: databasePool,
    ...(emit && {
      onHealthChange: (server, condition, cause) =>
        emit({ event: 'server.found', server, condition, ...(cause && { cause }) }),
    }),
  };
}

/** The store's tokens; to look at them needs no wait, to add or end one may. */
export function openTokenStore(store: Store, lockWait: LockWaitOptions): TokenStore {
  const tokens = store.tokens();
  return {
    ...tokens,
    add: (token) => retryWhileBusy(lockWait, () => tokens.add(token)),
    setEnd: (id, at) => retryWhileBusy(lockWait, () => tokens.setEnd(id, at)),
  };
}

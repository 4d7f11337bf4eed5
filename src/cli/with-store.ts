import { catalogue } from '../catalogue/index.ts';
import { parseDuration } from '../duration.ts';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import {
  type LockWaitOptions,
  openStore,
  type Publisher,
  type Store,
  StoreBusyError,
  type StoreConnectionOptions,
  type StoreReader,
  type TokenStore,
} from '../store/open-store.ts';
import { retryWhileBusy } from '../store/retry-while-busy.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';
import { printNote } from './output.ts';

/** Runs a callback with a publisher, which waits for the write lock as long as `--wait` says. */
export async function withPublisher<T>(
  call: CommandCall,
  callback: (publisher: Publisher) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { wait } = call.options;
  const waitMs = wait === undefined ? undefined : parseDuration(String(wait));
  if (wait !== undefined && waitMs === undefined) {
    throw new UsageError('--wait must be a time such as 30s or 10min');
  }
  const lockWait = createLockWaitOptions(waitMs, signal);
  let publisher: Publisher | undefined;
  try {
    publisher = (await openConfiguredStore(call.settings(), lockWait)).publisher(lockWait);
    return await callback(publisher);
  } catch (cause) {
    if (!(cause instanceof StoreBusyError)) throw cause;
    throw new CommandError(`${cause.message}; nothing was published`);
  } finally {
    publisher?.close();
  }
}

export async function withReader<T>(
  call: CommandCall,
  callback: (reader: StoreReader) => Promise<T>,
): Promise<T> {
  const reader = (await openConfiguredStore(call.settings())).reader();
  try {
    return await callback(reader);
  } finally {
    reader.close();
  }
}

export async function withTokenStore<T>(
  store: Store,
  callback: (tokens: TokenStore) => Promise<T>,
): Promise<T> {
  const tokens = store.tokens();
  try {
    return await callback(tokens);
  } finally {
    tokens.close();
  }
}

/** Opens the store of the settings. It waits for the write lock only to migrate the schema. */
export function openConfiguredStore(
  settings: Settings,
  lockWait = createLockWaitOptions(),
  emit?: EmitEvent,
): Promise<Store> {
  const options = getConnectionOptions(settings, emit);
  return retryWhileBusy(lockWait, () => openStore(settings.databaseUrl, catalogue, options));
}

export function getConnectionOptions(
  { databaseReplicas, databasePool }: Settings,
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

const DEFAULT_LOCK_WAIT_MS = 600_000;

/** How a command waits for the write lock: it says so once, on standard error. */
export function createLockWaitOptions(
  waitMs = DEFAULT_LOCK_WAIT_MS,
  signal?: AbortSignal,
): LockWaitOptions {
  let isReported = false;
  const onWait = () => {
    if (!isReported) printNote('waiting for another publisher to finish');
    isReported = true;
  };
  return { waitMs, onWait, ...(signal && { signal }) };
}

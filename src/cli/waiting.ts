import { catalogue } from '../catalogue/index.ts';
import type { Emit } from '../events.ts';
import type { Settings } from '../settings.ts';
import type { Patience, Reach, Store, TokenStore } from '../store/index.ts';
import { openStore } from '../store/index.ts';
import { patiently } from '../store/patience.ts';

const TEN_MINUTES_MS = 600_000;

/** How a command waits for another publisher: it says so, once, on standard error. */
export function patience(waitMs = TEN_MINUTES_MS, signal?: AbortSignal): Patience {
  let isTold = false;
  const onWait = () => {
    if (isTold) return;
    isTold = true;
    process.stderr.write('tenor: another publisher holds the database; waiting for it\n');
  };
  return { waitMs, onWait, ...(signal && { signal }) };
}

/** Opens the store; it waits only where the schema is to be brought up to date. */
export function opened(
  settings: Parameters<typeof reachOf>[0] & Pick<Settings, 'databaseUrl'>,
  how: Patience,
  emit?: Emit,
): Promise<Store> {
  const reach = reachOf(settings, emit);
  return patiently(how, () => openStore(settings.databaseUrl, catalogue, reach));
}

/** How the settings say that the store is reached. */
export function reachOf(
  { databaseReplicas, databasePool }: Pick<Settings, 'databaseReplicas' | 'databasePool'>,
  emit?: Emit,
): Reach {
  return {
    replicas: databaseReplicas,
    poolSize: databasePool,
    ...(emit && {
      onCondition: (server, condition, cause) =>
        emit({ event: 'server.found', server, condition, ...(cause && { cause }) }),
    }),
  };
}

/** The store's tokens; to look at them needs no wait, to add or end one may. */
export function waitingTokens(store: Store, how: Patience): TokenStore {
  const tokens = store.tokens();
  return {
    ...tokens,
    add: (token) => patiently(how, () => tokens.add(token)),
    end: (id, at) => patiently(how, () => tokens.end(id, at)),
  };
}

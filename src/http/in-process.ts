import type { Dataset } from '../catalogue/dataset.ts';
import { SCOPES } from '../catalogue/dataset.ts';
import type { Event } from '../events.ts';
import type { Store } from '../store/index.ts';
import { StoreUnavailable } from '../store/index.ts';
import type { Holder, Keyring } from '../tokens/keyring.ts';
import { handle } from './handle.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { targetIn } from './request/target.ts';
import { routeOf, routesOf } from './routes.ts';
import { assembled } from './service.ts';

/** Answers as a server would, without one: no port, no token, no rate. */
export interface InProcess {
  /** Gets a target. Throws where a server would log what broke and answer that something did. */
  ask(target: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): void;
}

/** Answers requests over a store, in this process. */
export async function inProcess(store: Store, catalogue: readonly Dataset[]): Promise<InProcess> {
  let broken: Error | undefined;
  const reader = store.reader();
  const routes = routesOf(catalogue);
  const service = await assembled(reader, {
    keyring: OPEN,
    limit: rateLimit(null),
    emit: (event) => {
      broken ??= errorIn(event);
    },
  }).catch((cause) => {
    reader.close();
    throw cause;
  });
  return {
    async ask(target, headers) {
      const sent = { ...headers, Authorization: 'Bearer local' };
      const request = new Request(`http://localhost${target}`, { headers: sent });
      const response = await handle(service, request, routeOf(routes, targetIn(request.url).path));
      if (broken) throw broken;
      return response;
    },
    close: () => reader.close(),
  };
}

/** Whoever can open the database may read all of it. */
const HOLDER: Holder = {
  id: 'local',
  scopes: new Set(SCOPES),
  rate: null,
  expiresAtMs: Number.POSITIVE_INFINITY,
  usedAtMs: 0,
};
const OPEN: Keyring = {
  find: () => HOLDER,
  reload: async () => {},
  flush: async () => {},
};

function errorIn(event: Event): Error | undefined {
  if (event.event === 'store.unavailable') return new StoreUnavailable(event.cause);
  return event.event === 'request.failed' ? new Error(event.cause) : undefined;
}

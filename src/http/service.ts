import type { Dataset } from '../catalogue/dataset.ts';
import type { Emit } from '../events.ts';
import type { Settings } from '../settings.ts';
import type { Reader, Store, TokenStore } from '../store/index.ts';
import { keyring } from '../tokens/keyring.ts';
import { changed } from './answers/changed.ts';
import { memory } from './answers/memory.ts';
import { stoodAt } from './answers/stood-at.ts';
import { totals } from './answers/totals.ts';
import { collector } from './collect.ts';
import { contact } from './contact.ts';
import { inTurn } from './in-turn.ts';
import { guesses } from './limits/guesses.ts';
import { rateLimit } from './limits/rate-limit.ts';
import type { SharedLimits } from './limits/shared.ts';
import type { Service } from './needs.ts';
import { cursors } from './request/cursor.ts';
import { routesOf } from './routes.ts';
import type { Listening } from './serve.ts';
import { serve } from './serve.ts';
import { watch } from './watch.ts';

const MEMORY_BYTES = 24 * 1024 * 1024;
const MADE_AT_ONCE = 4;

/**
 * Puts a server together over a store and starts it. Stopping it closes its own connections. With
 * limits that are shared it is one of several: they share the port too.
 */
export async function startService(
  store: Store,
  catalogue: readonly Dataset[],
  settings: Pick<Settings, 'host' | 'port' | 'apiToken' | 'rateLimit'>,
  emit: Emit,
  shared?: Pick<SharedLimits, 'tokens' | 'addresses'>,
): Promise<Listening> {
  const reader = store.reader();
  const tokens = store.tokens();
  const close = () => {
    reader.close();
    tokens.close();
  };
  try {
    return await started({ reader, tokens, close }, catalogue, settings, emit, shared);
  } catch (cause) {
    // Connections that nobody needs any more would keep the process alive.
    close();
    throw cause;
  }
}

/** What a server holds of its store. */
interface Held {
  readonly reader: Reader;
  readonly tokens: TokenStore;
  close(): void;
}

async function started(
  { reader, tokens, close }: Held,
  ...[catalogue, settings, emit, shared]: Tail<Parameters<typeof startService>>
): Promise<Listening> {
  const service = await assembled(reader, {
    keyring: keyring(tokens, settings.apiToken),
    limit: rateLimit(settings.rateLimit, undefined, shared?.tokens),
    guesses: guesses(undefined, shared?.addresses),
    emit,
  });
  const revision = await reader.revision();
  service.memory.advance(revision);
  await service.keyring.reload();
  const isPortShared = shared !== undefined;
  const listening = serve(service, routesOf(catalogue), { ...settings, isPortShared });
  const stopWatching = watch(service);
  emit({ event: 'service.started', address: listening.address, revision });
  return {
    address: listening.address,
    async stop() {
      await listening.stop();
      await stopWatching();
      close();
      emit({ event: 'service.stopped' });
    },
  };
}

type Tail<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** All that requests need, over a reader. */
export async function assembled(
  reader: Reader,
  rest: Pick<Service, 'keyring' | 'limit' | 'emit'> & Partial<Pick<Service, 'guesses'>>,
): Promise<Service> {
  return {
    guesses: guesses(),
    ...rest,
    reader,
    contact: contact(rest.emit),
    cursors: cursors(await reader.secret()),
    memory: memory(MEMORY_BYTES),
    stoodAt: stoodAt(reader),
    changed: changed(reader),
    making: inTurn(MADE_AT_ONCE),
    totals: totals(reader),
    collect: collector(),
  };
}

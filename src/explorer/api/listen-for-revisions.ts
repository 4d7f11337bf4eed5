import { parseEvents } from '../../client/parse-events.ts';
import { parseMeta } from '../../client/response-meta.ts';
import { SYSTEM_CLOCK } from '../../client/retry.ts';
import { type ApiClient, identifyRevision, type RevisionId } from './api-client.ts';
import { isTransient, toQueryFailure } from './query-failure.ts';
import type { Tab } from './tab.ts';
import type { RevisionEntry } from './types.ts';

/**
 * The newest revision that an event stream has named, sent whenever the stream proves alive; or that the
 * stream broke off. Repeating the revision lets a tab that missed one catch up.
 */
export type StreamSignal = RevisionId | 'lost';

/** The service sends a comment every 15 seconds. */
export const MAX_SILENCE_MS = 45_000;
const RECONNECT_MS = 3_000;
/** The interval of attempts if the service or a proxy does not offer events. */
const UNSUPPORTED_RECONNECT_MS = 60_000;

/**
 * Listens to other tabs at once, and to the service's events once `ready` resolves, while the tab is visible;
 * returns a function that stops it. One tab listens for all tabs with the same token, because browsers open
 * few connections to a server.
 */
export function listenForRevisions(
  api: ApiClient,
  token: string,
  ready: Promise<void>,
  onSignal: (signal: StreamSignal) => void,
): () => void {
  const { tab } = api;
  // Several services may be at paths of one origin. Tabs of earlier releases named revisions by number alone.
  const name = `tenor-named-revisions-${hashText(`${tab.baseUrl} ${token}`)}`;
  const channel = tab.openChannel(name);
  channel?.addEventListener('message', ({ data }) => onSignal(data as StreamSignal));
  const tellAllTabs = (signal: StreamSignal) => {
    onSignal(signal);
    channel?.postMessage(signal);
  };
  let listening: AbortController | undefined;
  const stopListening = () => {
    listening?.abort();
    // Without locks, another tab listens only once it has the focus; until then all tabs poll.
    if (listening && !tab.locks) tellAllTabs('lost');
    listening = undefined;
  };
  const update = () => {
    if (canListen(tab) === (listening !== undefined)) return;
    if (listening) return stopListening();
    listening = new AbortController();
    listenInTurn(name, api, listening.signal, tellAllTabs);
  };
  const ended = new AbortController();
  const { signal } = ended;
  ready.then(() => {
    for (const type of ['visibilitychange', 'focus', 'blur'] as const)
      tab.addEventListener(type, update, { signal });
    if (!signal.aborted) update();
  });
  return () => {
    ended.abort();
    listening?.abort();
    channel?.close();
  };
}

/** Without locks, which need HTTPS, only the focused tab listens. */
function canListen(tab: Tab): boolean {
  return !tab.isHidden() && (tab.locks !== undefined || tab.hasFocus());
}

/** Waits until no other tab listens. */
function listenInTurn(
  name: string,
  api: ApiClient,
  signal: AbortSignal,
  onSignal: (signal: StreamSignal) => void,
): void {
  const listen = () => readEvents(api, signal, onSignal);
  const turn = api.tab.locks?.request(name, { signal }, listen) ?? listen();
  turn.catch((cause) => {
    if (!signal.aborted) throw cause;
  });
}

/** Reads events until the signal aborts, reconnecting whenever the stream breaks off. */
async function readEvents(
  api: ApiClient,
  signal: AbortSignal,
  onSignal: (signal: StreamSignal) => void,
): Promise<void> {
  while (!signal.aborted) {
    let reconnectMs = RECONNECT_MS;
    try {
      const { body, url, headers } = await api.openEvents(signal);
      let newest = identifyRevision(parseMeta(url, headers, false));
      const watched = body?.pipeThrough(createWatcher(() => onSignal(newest))) ?? null;
      const events = parseEvents({ body: watched, url } as Response, MAX_SILENCE_MS);
      for await (const data of events) {
        newest = identifyRevision(JSON.parse(data) as RevisionEntry);
        onSignal(newest);
      }
    } catch (cause) {
      if (!isTransient(toQueryFailure(cause))) reconnectMs = UNSUPPORTED_RECONNECT_MS;
    }
    if (signal.aborted) return;
    onSignal('lost');
    // Stops with the signal, so that a tab that no longer listens holds no lock.
    await SYSTEM_CLOCK.wait(reconnectMs, signal);
  }
}

/** Proxies may buffer a stream, so it counts as alive only when something arrives. */
function createWatcher(onChunk: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      onChunk();
      controller.enqueue(chunk);
    },
  });
}

/** Distinguishes tokens without revealing them. */
function hashText(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}

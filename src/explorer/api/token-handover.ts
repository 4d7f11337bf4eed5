import { system } from '../../shared/system.ts';
import { getToken, signIn } from './session.ts';

/**
 * Hands the token to tabs that links of this page open: by a click with Ctrl, Shift or the middle button, the
 * context menu, or dragging to the tab bar. Such a tab starts without session storage. It asks on a channel
 * that only pages of this origin can hear, and gets one answer if this page has just offered its URL. Tabs
 * opened otherwise get nothing.
 */
export function offerTokenToOpenedTabs(): void {
  for (const type of ['click', 'auxclick', 'contextmenu', 'dragstart']) {
    addEventListener(type, (event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]');
      if (link && opensTab(event)) offeredTabs.set((link as HTMLAnchorElement).href, system.now());
    });
  }
  channel?.addEventListener('message', (event) => {
    const data = event.data as Partial<HandoverMessage>;
    const offeredAt = data.askedFrom && offeredTabs.get(data.askedFrom);
    const token = getToken();
    if (!offeredAt || system.now() - offeredAt > OFFER_MS || token === undefined) return;
    offeredTabs.delete(data.askedFrom ?? '');
    channel.postMessage({ tab: data.tab, token });
  });
}

/**
 * Asks other tabs for the token, and signs in whenever one hands it over. Resolves then, or after the longest
 * time that a tab opened by this browser's links would take.
 */
export async function requestToken(): Promise<void> {
  if (!channel || getToken() !== undefined || isReload()) return;
  const tab = String(system.random());
  const handover = new Promise<void>((resolve) => {
    channel.addEventListener('message', (event) => {
      const data = event.data as Partial<HandoverMessage>;
      if (data.tab !== tab || data.token === undefined || getToken() !== undefined) return;
      signIn(data.token);
      resolve();
    });
  });
  channel.postMessage({ tab, askedFrom: location.href });
  await Promise.race([handover, system.sleep(MAX_WAIT_MS)]);
}

interface HandoverMessage {
  readonly tab: string;
  readonly askedFrom: string;
  readonly token: string;
}

/** How long a tab may take to open, and the visitor to choose from the context menu. */
const OFFER_MS = 60_000;
/** How long a page without a token waits for other tabs before it asks the visitor. */
const MAX_WAIT_MS = 250;

/** When each URL was offered. */
const offeredTabs = new Map<string, number>();

const channel = openChannel();

/** The channel to the other tabs that show this page; undefined if the browser does not allow one. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('tenor-token');
  } catch {
    return undefined;
  }
}

function opensTab(event: Event): boolean {
  if (event.type !== 'click') return true;
  const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
  return ctrlKey || metaKey || shiftKey;
}

function isReload(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload';
}

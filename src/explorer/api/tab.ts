import type { Fetch } from '../../client/options.ts';

/** What a tab uses of its browser. */
export interface Tab {
  /** The URL of the page, which may be below a path of a reverse proxy. */
  readonly baseUrl: URL;
  readonly fetch?: Fetch;
  /** Undefined without HTTPS. */
  readonly locks: TabLocks | undefined;
  isHidden(): boolean;
  hasFocus(): boolean;
  /** Calls the listener whenever the tab is shown or hidden, or gets or loses the focus. */
  addEventListener(type: TabEvent, listener: () => void, options: { signal: AbortSignal }): void;
  /** A channel to the other tabs that show this page; undefined if the browser allows none. */
  openChannel(name: string): TabChannel | undefined;
}

export type TabEvent = 'visibilitychange' | 'focus' | 'blur';

interface TabLocks {
  request(name: string, options: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void>;
}

export interface TabChannel {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
  close(): void;
}

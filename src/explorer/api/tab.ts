import type { Fetch } from '../../client/options.ts';

/** The browser features that a tab uses. */
export interface Tab {
  /** The URL of the page, which may have the path prefix of a reverse proxy. */
  readonly baseUrl: URL;
  readonly fetch?: Fetch;
  /** Undefined without HTTPS. */
  readonly locks: TabLocks | undefined;
  isHidden(): boolean;
  hasFocus(): boolean;
  /** Calls the listener whenever the tab is shown or hidden, or gets or loses the focus. */
  addEventListener(type: TabEvent, listener: () => void, options: { signal: AbortSignal }): void;
  /** A channel to the other tabs that show this page; undefined if the browser does not allow one. */
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

import type { Fetch } from '../../client/options.ts';

/** The browser features that requests use. */
export interface Tab {
  /** The URL of the page, which may have the path prefix of a reverse proxy. */
  readonly baseUrl: URL;
  readonly fetch: Fetch;
  isHidden(): boolean;
  /** Calls the listener whenever the tab is shown or hidden. */
  onVisibilityChange(listener: () => void, signal: AbortSignal): void;
}

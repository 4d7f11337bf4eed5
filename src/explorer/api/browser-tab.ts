import type { Tab } from './tab.ts';

export const BROWSER_TAB: Tab = {
  baseUrl: new URL('.', location.href.replace(/[?#].*/, '')),
  locks: 'locks' in navigator ? navigator.locks : undefined,
  isHidden: () => document.hidden,
  hasFocus: () => document.hasFocus(),
  addEventListener: (type, listener, options) =>
    addEventListener(type, listener, { ...options, capture: true }),
  openChannel(name) {
    try {
      return new BroadcastChannel(name);
    } catch {
      return undefined;
    }
  },
};

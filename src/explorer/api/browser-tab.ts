import type { Tab } from './tab.ts';

export const BROWSER_TAB: Tab = {
  baseUrl: new URL('.', location.href.replace(/[?#].*/, '')),
  fetch: (url, init) => fetch(url, init),
  isHidden: () => document.hidden,
  onVisibilityChange: (listener, signal) =>
    addEventListener('visibilitychange', listener, { signal, capture: true }),
};

import { createStoredItem } from '../api/browser-storage.ts';

/** Kept by the browser for this service: how things look is nobody's business but the visitor's. */
const storedTheme = createStoredItem(() => localStorage, 'tenor-theme');

export type Theme = 'system' | 'light' | 'dark';

export function getTheme(): Theme {
  const chosen = storedTheme.get();
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function setTheme(chosen: Theme): void {
  storedTheme.set(chosen === 'system' ? undefined : chosen);
  applyTheme();
}

/** Puts the chosen theme on the page; the system's is there without it. */
export function applyTheme(): void {
  const chosen = getTheme();
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

import { createStoredItem } from '../api/browser-storage.ts';

const storedTheme = createStoredItem(() => localStorage, 'tenor-theme');

export type Theme = 'system' | 'light' | 'dark';

export function getTheme(): Theme {
  const theme = storedTheme.get();
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function setTheme(theme: Theme): void {
  storedTheme.set(theme === 'system' ? undefined : theme);
  applyTheme();
}

/** Without a `data-theme` attribute, the style sheet follows the system's theme. */
export function applyTheme(): void {
  const theme = getTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Kept by the browser for this service: how things look is nobody's business but the visitor's. */
const KEY = 'tenor-theme';

export type Theme = 'system' | 'light' | 'dark';

export function theme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function setTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  applyTheme();
}

/** Puts the chosen theme on the page; the system's is there without it. */
export function applyTheme(): void {
  const chosen = theme();
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

import { useState } from 'preact/hooks';
import { StoredItem } from '../api/stored-item.ts';

export function ThemeSelect() {
  const [theme, setShownTheme] = useState(getTheme);
  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={({ currentTarget }) => {
        const value = currentTarget.value as Theme;
        setTheme(value);
        setShownTheme(value);
      }}
    >
      <option value="system">Theme: auto</option>
      <option value="light">Theme: light</option>
      <option value="dark">Theme: dark</option>
    </select>
  );
}

const storedTheme = new StoredItem(() => localStorage, 'tenor-theme');

type Theme = 'system' | 'light' | 'dark';

function getTheme(): Theme {
  const theme = storedTheme.get();
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function setTheme(theme: Theme): void {
  storedTheme.set(theme === 'system' ? undefined : theme);
  applyTheme();
}

/** Without a `data-theme` attribute, the style sheet follows the system's theme. */
export function applyTheme(): void {
  const theme = getTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

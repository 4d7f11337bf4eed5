import { useEffect, useState } from 'preact/hooks';
import { signOut } from '../api/session.ts';
import { StoredItem } from '../api/stored-item.ts';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { Select } from '../components/select.tsx';
import { getLocale, setLocale } from '../formatting/dates.ts';

/** Theme, number format, API reference and sign-out. */
export function SettingsMenu() {
  const [theme, setShownTheme] = useState(getTheme);
  const [isReopened] = useState(isLocaleChanged);
  useEffect(() => {
    isLocaleChanged = false;
  }, []);
  const chooseTheme = (key: string) => {
    storedTheme.set(key === 'system' ? undefined : key);
    applyTheme();
    setShownTheme(getTheme());
  };
  return (
    <Menu label="Menu" isReopened={isReopened}>
      {() => (
        <>
          <Select label="Theme" options={THEMES} value={theme} onChange={chooseTheme} />
          <Select
            label="Numbers and dates"
            options={[
              { key: 'english', text: '1,234.5 · English' },
              { key: 'browser', text: describeBrowserLocale() },
            ]}
            value={getLocale() === undefined ? 'english' : 'browser'}
            onChange={chooseLocale}
          />
          <a href="docs">API</a>
          <Button onClick={() => signOut()}>Sign out</Button>
        </>
      )}
    </Menu>
  );
}

const THEMES = [
  { key: 'system', text: 'Theme: auto' },
  { key: 'light', text: 'Theme: light' },
  { key: 'dark', text: 'Theme: dark' },
];

const storedTheme = new StoredItem(() => localStorage, 'tenor-theme');

function getTheme(): string {
  return THEMES.find(({ key }) => key === storedTheme.get())?.key ?? 'system';
}

/** Without a `data-theme` attribute, the style sheet follows the system's theme. */
export function applyTheme(): void {
  const theme = getTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

const storedLocale = new StoredItem(() => localStorage, 'tenor-formats');
const localeListeners = new Set<() => void>();
/** Whether a choice in the menu caused the page to render again; the menu then stays open. */
let isLocaleChanged = false;

/** Applies the locale chosen in this browser; English by default. */
export function applyLocale(): void {
  setLocale(storedLocale.get() === 'browser' ? navigator.language : undefined);
  for (const listener of localeListeners) listener();
}

/** The locale of numbers and dates, kept up to date. */
export function useLocale(): string | undefined {
  const [locale, setCurrent] = useState(getLocale);
  useEffect(() => {
    const update = () => setCurrent(getLocale());
    localeListeners.add(update);
    return () => void localeListeners.delete(update);
  }, []);
  return locale;
}

function chooseLocale(key: string): void {
  isLocaleChanged = true;
  storedLocale.set(key === 'browser' ? key : undefined);
  applyLocale();
}

function describeBrowserLocale(): string {
  return `${(1234.5).toLocaleString(navigator.language)} · ${navigator.language}`;
}

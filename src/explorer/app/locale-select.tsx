import { useEffect, useRef, useState } from 'preact/hooks';
import { StoredItem } from '../api/stored-item.ts';
import { getLocale, setLocale } from '../formatting/locale.ts';

/** Chooses between English formats and those of the browser's language. */
export function LocaleSelect() {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isChosen) select.current?.focus();
    isChosen = false;
  }, []);
  return (
    <select
      ref={select}
      aria-label="Numbers and dates"
      value={getLocale() === undefined ? 'english' : 'browser'}
      onChange={({ currentTarget }) => chooseLocale(currentTarget.value === 'browser')}
    >
      <option value="english">1,234.5 · English</option>
      <option value="browser">{describeBrowserLocale()}</option>
    </select>
  );
}

const storedChoice = new StoredItem(() => localStorage, 'tenor-formats');
const localeListeners = new Set<() => void>();
/** Whether the page is rendered anew because of a choice: the focus stays with it. */
let isChosen = false;

/** Applies what the reader has chosen in this browser; English by default. */
export function applyLocale(): void {
  setLocale(storedChoice.get() === 'browser' ? navigator.language : undefined);
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

function chooseLocale(isBrowserLocale: boolean): void {
  isChosen = true;
  storedChoice.set(isBrowserLocale ? 'browser' : undefined);
  applyLocale();
}

function describeBrowserLocale(): string {
  return `${(1234.5).toLocaleString(navigator.language)} · ${navigator.language}`;
}

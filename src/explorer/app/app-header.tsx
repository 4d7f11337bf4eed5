import { useState } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { createStoredItem, signOut } from '../api/session.ts';
import { Link, type View } from '../routing/view-route.tsx';
import { AsOfMenu } from './as-of-menu.tsx';
import { getAvailableViews, VIEW_DEFINITIONS } from './view-definitions.ts';

export function AppHeader({ view: currentView }: { readonly view: View }) {
  const { catalogue } = useExplorer();
  const views = getAvailableViews(catalogue);
  return (
    <header class="app-header">
      <Link view={views[0] ?? 'ledger'} class="brand">
        <img src="docs/icon.svg" alt="" width="26" height="26" />
        Tenor
      </Link>
      <nav aria-label="Views">
        {views.map((view) => (
          <Link key={view} view={view} isCurrent={view === currentView}>
            {VIEW_DEFINITIONS[view].title}
          </Link>
        ))}
      </nav>
      <div class="controls">
        <AsOfMenu />
        <ThemeSelect />
        <a href="docs">API</a>
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

function ThemeSelect() {
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

const storedTheme = createStoredItem(() => localStorage, 'tenor-theme');

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

import { useState } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { signOut } from '../api/session.ts';
import type { View } from '../routing/view-route.tsx';
import { Link } from '../routing/view-route.tsx';
import { AsOfMenu } from './as-of-menu.tsx';
import { getTheme, setTheme, type Theme } from './theme.ts';
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

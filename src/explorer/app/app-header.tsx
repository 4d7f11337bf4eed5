import { useContext, useState } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { signOut } from '../api/session.ts';
import { Link } from '../routing/link.tsx';
import type { View } from '../routing/view-route.ts';
import { AsOfMenu } from './as-of-menu.tsx';
import { getAvailableViews } from './available-views.ts';
import { getTheme, setTheme, type Theme } from './theme.ts';
import { VIEW_TITLES } from './view-titles.ts';

/** The head of the page: where to go, what instant is looked at, how it looks. */
export function AppHeader({ view }: { readonly view: View }) {
  const { catalogue } = useContext(ExplorerContext);
  const open = getAvailableViews(catalogue);
  return (
    <header class="app-header">
      <Link view={open[0] ?? 'ledger'} class="brand">
        <img src="docs/icon.svg" alt="" width="26" height="26" />
        Tenor
      </Link>
      <nav aria-label="Views">
        {open.map((each) => (
          <Link key={each} view={each} isCurrent={each === view}>
            {VIEW_TITLES[each]}
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
  const [chosen, choose] = useState(getTheme);
  return (
    <select
      aria-label="Theme"
      value={chosen}
      onChange={({ currentTarget }) => {
        const wanted = currentTarget.value as Theme;
        setTheme(wanted);
        choose(wanted);
      }}
    >
      <option value="system">Theme: auto</option>
      <option value="light">Theme: light</option>
      <option value="dark">Theme: dark</option>
    </select>
  );
}

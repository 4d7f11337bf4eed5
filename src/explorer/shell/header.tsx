import { useContext, useState } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import type { View } from '../address/place.ts';
import { ServiceContext } from '../service/service.ts';
import { signOut } from '../service/session.ts';
import { AsOf } from './as-of.tsx';
import { openViews } from './open-views.ts';
import { setTheme, type Theme, theme } from './theme.ts';
import { TITLES } from './titles.ts';

/** The head of the page: where to go, what instant is looked at, how it looks. */
export function Header({ view }: { readonly view: View }) {
  const { catalogue } = useContext(ServiceContext);
  const open = openViews(catalogue);
  return (
    <header class="head">
      <Link to={open[0] ?? 'ledger'} class="brand">
        <img src="docs/icon.svg" alt="" width="26" height="26" />
        Tenor
      </Link>
      <nav aria-label="Views">
        {open.map((each) => (
          <Link key={each} to={each} current={each === view}>
            {TITLES[each]}
          </Link>
        ))}
      </nav>
      <div class="controls">
        <AsOf />
        <ThemeChoice />
        <a href="docs">API</a>
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

function ThemeChoice() {
  const [chosen, choose] = useState(theme);
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

import { useContext, useState } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { VIEWS, type View } from '../address/place.ts';
import { ServiceContext } from '../service/service.ts';
import { signOut } from '../service/session.ts';
import { AsOf } from './as-of.tsx';
import { setTheme, type Theme, theme } from './theme.ts';
import { TITLES } from './titles.ts';

/** The head of the page: where to go, what instant is looked at, how it looks. */
export function Header({ view }: { readonly view: View }) {
  const { catalogue } = useContext(ServiceContext);
  const shapes = new Set<string>(catalogue.map(({ shape }) => shape));
  const open = VIEWS.filter((each) => NEEDS[each] === undefined || shapes.has(NEEDS[each]));
  return (
    <header class="head">
      <Link to="market" class="brand">
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

/** What a token must open for a view to be of use. */
const NEEDS: Readonly<Partial<Record<View, string>>> = {
  market: 'quotes',
  security: 'quotes',
  funds: 'fund',
  payments: 'series',
};

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
      <option value="system">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

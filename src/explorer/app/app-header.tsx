import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { signOut } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { useDismissible } from '../components/use-dismissible.ts';
import { FindButton } from '../find/find-button.tsx';
import { Link, type View } from '../routing/view-route.tsx';
import { AsOfMenu } from './as-of-menu.tsx';
import { LocaleSelect } from './locale-select.tsx';
import { ThemeSelect } from './theme-select.tsx';
import { getAvailableViews, VIEW_DEFINITIONS } from './view-definitions.tsx';

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
        <FindButton views={views.map((view) => ({ view, title: VIEW_DEFINITIONS[view].title }))} />
        <AsOfMenu />
        <SettingsMenu>
          <ThemeSelect />
          <LocaleSelect />
          <a href="docs">API</a>
          <Button onClick={() => signOut()}>Sign out</Button>
        </SettingsMenu>
      </div>
    </header>
  );
}

/** Its items are in the header where there is room, otherwise behind a button. */
function SettingsMenu({ children }: { readonly children: ComponentChildren }) {
  const { root, isOpen, setOpen } = useDismissible();
  const id = useId();
  return (
    <div class="menu settings" ref={root}>
      <Button
        class="settings-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Menu <span aria-hidden="true">▾</span>
      </Button>
      <div id={id} class={isOpen ? 'settings-items open' : 'settings-items'}>
        {children}
      </div>
    </div>
  );
}

import { useExplorer } from '../api/explorer-context.ts';
import { FindButton } from '../find/find-button.tsx';
import { Link, type View } from '../routing/view-route.tsx';
import { AsOfMenu } from './as-of-menu.tsx';
import { SettingsMenu } from './settings-menu.tsx';
import { getAvailableViews, VIEW_DEFINITIONS } from './view-definitions.tsx';

export function AppHeader({ view: currentView }: { readonly view: View }) {
  const { catalogue } = useExplorer();
  const views = getAvailableViews(catalogue);
  return (
    <header class="app-header row">
      <Link view={views[0] ?? 'ledger'} class="brand row">
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
      <div class="controls row">
        <FindButton views={views.map((view) => ({ view, title: VIEW_DEFINITIONS[view].title }))} />
        <AsOfMenu />
        <SettingsMenu />
      </div>
    </header>
  );
}

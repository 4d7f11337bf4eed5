import { useEffect } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import { ExplorerContext } from '../api/explorer-context.ts';
import { useExplorerState } from '../api/use-explorer-state.ts';
import { ErrorState } from '../components/query-view.tsx';
import { useViewRoute } from '../routing/view-route.ts';
import { AppHeader } from './app-header.tsx';
import { CurrentView } from './current-view.tsx';
import { InvalidInstant, LoadingScreen } from './loading-screen.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { useFocusManagement } from './use-focus-management.ts';
import { setViewTitle, VIEW_TITLES } from './view-titles.ts';

/** What somebody sees who is signed in. */
export function Explorer({ token }: { readonly token: string }) {
  const route = useViewRoute();
  const { view, params } = route;
  const isInstant = params.asof === undefined || acceptDatetime.parse(params.asof) !== undefined;
  const { state, isCurrent, failure } = useExplorerState(
    token,
    isInstant ? params.asof : undefined,
  );
  const isBusy = !isCurrent && !failure;
  useFocusManagement(route, state !== undefined);
  useEffect(() => setViewTitle(VIEW_TITLES[view]), [view]);
  if (!state) return <LoadingScreen failure={failure} />;
  return (
    <ExplorerContext.Provider value={state}>
      <button type="button" class="skip-link" onClick={focusContent}>
        To the content
      </button>
      <AppHeader view={view} />
      <NoticeBar failure={isCurrent ? failure : undefined} />
      <main
        id="view"
        tabIndex={-1}
        aria-label={VIEW_TITLES[view]}
        aria-busy={isBusy}
        class={isBusy ? 'busy' : undefined}
      >
        {!isInstant ? (
          <InvalidInstant text={params.asof ?? ''} />
        ) : !isCurrent && failure ? (
          <ErrorState failure={failure} />
        ) : (
          <CurrentView place={route} />
        )}
      </main>
    </ExplorerContext.Provider>
  );
}

/** For those who go by keys: past the head, without a step in the browser's history. */
function focusContent(): void {
  document.getElementById('view')?.focus();
}

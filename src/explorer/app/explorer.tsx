import { useEffect } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import { ExplorerContext } from '../api/explorer-context.ts';
import { useExplorerState } from '../api/use-explorer-state.ts';
import { ErrorState } from '../components/query-view.tsx';
import { setViewTitle } from '../components/use-page-title.ts';
import { useViewRoute } from '../routing/view-route.ts';
import { AppHeader } from './app-header.tsx';
import { CurrentView } from './current-view.tsx';
import { InvalidInstant, LoadingScreen } from './loading-screen.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { focusView, useFocusManagement } from './use-focus-management.ts';
import { VIEW_DEFINITIONS } from './view-definitions.ts';

/** The page of somebody who is signed in. */
export function Explorer({ token }: { readonly token: string }) {
  const route = useViewRoute();
  const { view, params } = route;
  const { title } = VIEW_DEFINITIONS[view];
  const isInstant = params.asof === undefined || acceptDatetime.parse(params.asof) !== undefined;
  const asOf = isInstant ? params.asof : undefined;
  const { state, isCurrent, failure } = useExplorerState(token, asOf);
  const isBusy = !isCurrent && !failure;
  useFocusManagement(route, state !== undefined);
  useEffect(() => setViewTitle(title), [title]);
  if (!state) return <LoadingScreen failure={failure} />;
  return (
    <ExplorerContext.Provider value={state}>
      <button type="button" class="skip-link" onClick={focusView}>
        Skip to content
      </button>
      <AppHeader view={view} />
      <NoticeBar failure={isCurrent ? failure : undefined} />
      <main
        id="view"
        tabIndex={-1}
        aria-label={title}
        aria-busy={isBusy}
        class={isBusy ? 'busy' : undefined}
      >
        {!isInstant ? (
          <InvalidInstant text={params.asof ?? ''} />
        ) : !isCurrent && failure ? (
          <ErrorState failure={failure} />
        ) : (
          <CurrentView route={route} />
        )}
      </main>
    </ExplorerContext.Provider>
  );
}

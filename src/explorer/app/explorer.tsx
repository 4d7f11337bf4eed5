import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/model/parameter.ts';
import { BROWSER_TAB } from '../api/browser-tab.ts';
import { ExplorerContext, useExplorer } from '../api/explorer-context.ts';
import type { QueryFailure } from '../api/query-failure.ts';
import { signOut, storedViews } from '../api/session.ts';
import { useExplorerState } from '../api/use-explorer-state.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorState, LoadingState } from '../components/panel.tsx';
import { setViewTitle } from '../components/use-page-title.ts';
import { describeSource } from '../export/describe-source.ts';
import { listViewDatasets } from '../export/list-cited-datasets.ts';
import { FindButton } from '../find/find-button.tsx';
import {
  replaceView,
  updateParams,
  useViewRoute,
  ViewLink,
  type ViewName,
} from '../routing/view-route.tsx';
import { AsOfMenu } from './as-of-menu.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { SettingsMenu } from './settings-menu.tsx';
import { focusView, useFocusManagement } from './use-focus-management.ts';
import { getAvailableViews, VIEW_DEFINITIONS } from './view-definitions.tsx';

export function Explorer({ token }: { readonly token: string }) {
  const route = useViewRoute();
  const { view, params } = route;
  const { title, preload } = VIEW_DEFINITIONS[view];
  const isInstant = params.asof === undefined || acceptDatetime.parse(params.asof) !== undefined;
  const asOf = isInstant ? params.asof : undefined;
  const { state, isCurrent, failure } = useExplorerState(token, asOf, (api) =>
    preload?.(api, params),
  );
  const isBusy = !isCurrent && !failure;
  useFocusManagement(route, state !== undefined);
  useEffect(() => setViewTitle(title), [title]);
  useEffect(() => {
    if (state) storedViews.set(getAvailableViews(state.catalogue).join());
  }, [state?.catalogue]);
  if (!state) return <LoadingScreen failure={failure} />;
  return (
    <ExplorerContext.Provider value={state}>
      <Button class="skip-link" onClick={focusView}>
        Skip to content
      </Button>
      <AppHeader view={route.unknownView === undefined ? view : undefined} />
      <PrintSource />
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
          <CurrentView />
        )}
      </main>
      <footer>
        <RevisionLine />
      </footer>
    </ExplorerContext.Provider>
  );
}

/** The revision, and how to verify it: a page that the service sends cannot vouch for the service. */
function RevisionLine() {
  const { revision } = useExplorer();
  if (revision === 0) return null;
  const address = BROWSER_TAB.baseUrl.href.replace(/\/$/, '');
  return (
    <p class="description">
      Revision {revision}. <code>npx tenor verify {address} --state tenor-state.json</code> verifies
      that nothing published before was changed.
    </p>
  );
}

/** The first line of a printed page: the source of its figures, and how to see them again. */
function PrintSource() {
  // Rendered again with each route, because it includes the URL, without the fragment, which may be a secret.
  const route = useViewRoute();
  const state = useExplorer();
  return (
    <p class="print-source">
      {describeSource(state, listViewDatasets(route, state.catalogue))}
      <br />
      {location.origin + location.pathname + location.search}
    </p>
  );
}

/** Shown until the first response of the service arrives. */
function LoadingScreen({ failure }: { readonly failure: QueryFailure | undefined }) {
  return (
    <main>
      <h1 class="visually-hidden">Tenor</h1>
      {failure ? <ErrorState failure={failure} /> : <LoadingState subject="the catalogue" />}
      {failure && (
        <p class="sign-out">
          <Button onClick={() => signOut()}>Sign out</Button>
        </p>
      )}
    </main>
  );
}

function InvalidInstant({ text }: { readonly text: string }) {
  return (
    <>
      <h1>Invalid date and time</h1>
      <EmptyState title={`The URL asks for data as of “${text}”`}>
        That must be {acceptDatetime.requirement}.{' '}
        <Button onClick={() => updateParams({ asof: undefined })}>Back to current data</Button>
      </EmptyState>
    </>
  );
}

/** The view in the URL; by default, the first one that the token has access to. */
function CurrentView() {
  const { catalogue } = useExplorer();
  const { view, isViewExplicit, unknownView } = useViewRoute();
  const available = getAvailableViews(catalogue);
  const isAvailable = available.includes(view);
  const replacement = isAvailable || isViewExplicit ? undefined : available[0];
  useEffect(() => {
    if (replacement) replaceView(replacement);
  }, [replacement]);
  if (replacement) return null;
  if (unknownView !== undefined) return <UnknownView name={unknownView} first={available[0]} />;
  if (!isAvailable) return <ViewUnavailable view={view} />;
  const { Component } = VIEW_DEFINITIONS[view];
  return (
    <ErrorBoundary key={view}>
      <Component />
    </ErrorBoundary>
  );
}

function UnknownView({ name, first = 'ledger' }: { name: string; first?: ViewName | undefined }) {
  return (
    <>
      <h1>{name}</h1>
      <EmptyState title={`There is no view “${name}”`}>
        Choose one of those above, or go to{' '}
        <ViewLink view={first}>{VIEW_DEFINITIONS[first].title}</ViewLink>.
      </EmptyState>
    </>
  );
}

function ViewUnavailable({ view }: { readonly view: ViewName }) {
  const { title, scope } = VIEW_DEFINITIONS[view];
  return (
    <>
      <h1>{title}</h1>
      <EmptyState title="Your token has no access to this view">
        It needs a token with the scope <code>{scope}</code>: the operator of the service creates
        one with <code>npx tenor token create --name NAME --scopes {scope}</code>.{' '}
        <Button onClick={() => signOut()}>Sign in with another token</Button>
      </EmptyState>
    </>
  );
}

/** Confines an exception to the view that threw it. */
class ErrorBoundary extends Component<{ children: ComponentChildren }, { error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (!('error' in this.state)) return this.props.children;
    return (
      <EmptyState title="This view has failed">
        This is a bug in the page: {String(this.state.error)}. <a href="?">Start again</a>, or open
        another view.
      </EmptyState>
    );
  }
}

function AppHeader({ view: currentView }: { readonly view: ViewName | undefined }) {
  const { catalogue } = useExplorer();
  const views = getAvailableViews(catalogue);
  return (
    <header class="app-header row">
      <span class="brand row">
        <img src="docs/icon.svg" alt="" width="26" height="26" />
        Tenor
      </span>
      <nav aria-label="Views">
        {views.map((view) => (
          <ViewLink key={view} view={view} isCurrent={view === currentView}>
            {VIEW_DEFINITIONS[view].title}
          </ViewLink>
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

import { useContext, useEffect } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { signOut } from '../api/session.ts';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { EmptyState } from '../components/query-view.tsx';
import { replaceView, type View, type ViewRoute } from '../routing/view-route.ts';
import { getAvailableViews, VIEW_DEFINITIONS } from './view-definitions.ts';

/** The view in the URL; if there is none, the first one that the token has access to. */
export function CurrentView({ route }: { readonly route: ViewRoute }) {
  const { catalogue } = useContext(ExplorerContext);
  const { view, isViewExplicit } = route;
  const available = getAvailableViews(catalogue);
  const isAvailable = available.includes(view);
  const replacement = isAvailable || isViewExplicit ? undefined : available[0];
  useEffect(() => {
    if (replacement) replaceView(replacement);
  }, [replacement]);
  if (replacement) return null;
  if (!isAvailable) return <ViewUnavailable view={view} />;
  const { Component } = VIEW_DEFINITIONS[view];
  return (
    <ErrorBoundary key={view}>
      <Component />
    </ErrorBoundary>
  );
}

function ViewUnavailable({ view }: { readonly view: View }) {
  const { title, scope } = VIEW_DEFINITIONS[view];
  return (
    <>
      <h1>{title}</h1>
      <EmptyState title="Your token has no access to this view">
        It needs a token with the scope <code>{scope}</code>: whoever runs the service creates one
        with <code>npx tenor token create --name NAME --scopes {scope}</code>.{' '}
        <button type="button" onClick={() => signOut()}>
          Sign in with another token
        </button>
      </EmptyState>
    </>
  );
}

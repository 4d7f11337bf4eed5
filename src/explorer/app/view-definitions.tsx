import { useEffect, useState } from 'preact/hooks';
import type { ApiClient } from '../api/api-client.ts';
import { storedViews } from '../api/session.ts';
import type { DatasetEntry } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, LoadingState } from '../components/panel.tsx';
import { parseMarketFilters } from '../market/market-filters.ts';
import { MarketView } from '../market/market-view.tsx';
import { preloadMarketDay } from '../market/use-market-day.ts';
import { VIEWS, type ViewName, type ViewRoute } from '../routing/view-route.tsx';

interface ViewDefinition {
  readonly title: string;
  readonly Component: () => preact.JSX.Element;
  /** The scope that a token needs; undefined if any token will do. */
  readonly scope?: DatasetEntry['scope'];
  /** Alternatively, the shape of a dataset that the token can read, whatever its scope. */
  readonly shape?: DatasetEntry['shape'];
  /** Requests the script or the first data of the view, together with the catalogue. */
  readonly preload?: (api: ApiClient, params: ViewRoute['params']) => void;
}

type OtherViews = typeof import('./other-views.ts');

let otherViews: OtherViews | undefined;

export const VIEW_DEFINITIONS: Readonly<Record<ViewName, ViewDefinition>> = {
  market: {
    title: 'Market',
    Component: MarketView,
    scope: 'quotes',
    // Only if the token is known to have access, so that no request fails.
    preload(api, params) {
      if (storedViews.get()?.includes('market'))
        preloadMarketDay(api, '/2.0/bnb/quote', parseMarketFilters(params).date);
    },
  },
  security: { title: 'Security', scope: 'quotes', ...createLazyView('SecurityView') },
  portfolio: { title: 'Portfolio', scope: 'quotes', ...createLazyView('PortfolioView') },
  funds: { title: 'Funds', scope: 'funds', ...createLazyView('FundsView') },
  payments: {
    title: 'Data',
    scope: 'alternate',
    shape: 'series',
    ...createLazyView('DatasetsView'),
  },
  ledger: { title: 'Ledger', ...createLazyView('LedgerView') },
};

/** The views for a token that has access to these datasets. */
export function getAvailableViews(catalogue: readonly DatasetEntry[]): ViewName[] {
  return VIEWS.filter((view) => {
    const { scope, shape } = VIEW_DEFINITIONS[view];
    if (!scope && !shape) return true;
    return catalogue.some((dataset) => dataset.scope === scope || dataset.shape === shape);
  });
}

/** A view whose script is loaded when it is first opened. */
function createLazyView(name: keyof OtherViews) {
  const Component = () => {
    const [views, setViews] = useState(otherViews);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (!views) loadOtherViews().then(setViews, () => setFailed(true));
    }, []);
    if (hasFailed) return <ScriptMissing />;
    if (!views) return <LoadingState subject="the view" />;
    const View = views[name];
    return <View />;
  };
  return { Component, preload: () => void loadOtherViews().catch(() => {}) };
}

async function loadOtherViews(): Promise<OtherViews> {
  otherViews ??= await import('./other-views.ts');
  return otherViews;
}

/** Shown if the service does not respond, or was upgraded after the page was opened. */
function ScriptMissing() {
  return (
    <EmptyState title="This view could not be loaded">
      The service may have been upgraded since this page was opened, or does not answer.{' '}
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </EmptyState>
  );
}

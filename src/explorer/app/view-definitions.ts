import type { ApiClient } from '../api/api-client.ts';
import type { DatasetEntry } from '../api/types.ts';
import { parseMarketFilters } from '../market/market-filters.ts';
import { MarketView } from '../market/market-view.tsx';
import { preloadMarketDay } from '../market/use-market-day.ts';
import { VIEWS, type View, type ViewRoute } from '../routing/view-route.tsx';
import { createLazyView } from './lazy-view.tsx';

interface ViewDefinition {
  readonly title: string;
  readonly Component: () => preact.JSX.Element;
  /** The scope that a token needs; undefined if any token will do. */
  readonly scope?: DatasetEntry['scope'];
  /** Requests the script or the first data of the view, together with the catalogue. */
  readonly preload?: (api: ApiClient, params: ViewRoute['params']) => void;
}

export const VIEW_DEFINITIONS: Readonly<Record<View, ViewDefinition>> = {
  market: {
    title: 'Market',
    Component: MarketView,
    scope: 'quotes',
    preload: (api, params) =>
      preloadMarketDay(api, '/2.0/bnb/quote', parseMarketFilters(params).date),
  },
  security: { title: 'Security', scope: 'quotes', ...createLazyView('SecurityView') },
  funds: { title: 'Funds', scope: 'funds', ...createLazyView('FundsView') },
  payments: { title: 'Payments', scope: 'alternate', ...createLazyView('PaymentsView') },
  ledger: { title: 'Ledger', ...createLazyView('LedgerView') },
};

/** The views for a token that has access to these datasets. */
export function getAvailableViews(catalogue: readonly DatasetEntry[]): View[] {
  return VIEWS.filter((view) => {
    const { scope } = VIEW_DEFINITIONS[view];
    return !scope || catalogue.some((dataset) => dataset.scope === scope);
  });
}

import type { ApiClient } from '../api/api-client.ts';
import type { DatasetEntry } from '../api/types.ts';
import { FundsView } from '../funds/funds-view.tsx';
import { LedgerView } from '../ledger/ledger-view.tsx';
import { parseMarketFilters } from '../market/market-filters.ts';
import { MarketView } from '../market/market-view.tsx';
import { preloadMarketDay } from '../market/use-market-day.ts';
import { PaymentsView } from '../payments/payments-view.tsx';
import { VIEWS, type View, type ViewRoute } from '../routing/view-route.tsx';
import { SecurityView } from '../security/security-view.tsx';

interface ViewDefinition {
  readonly title: string;
  readonly Component: () => preact.JSX.Element;
  /** The scope that a token needs; undefined if any token will do. */
  readonly scope?: DatasetEntry['scope'];
  /** Requests the first data of the view, together with the catalogue. */
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
  security: { title: 'Security', Component: SecurityView, scope: 'quotes' },
  funds: { title: 'Funds', Component: FundsView, scope: 'funds' },
  payments: { title: 'Payments', Component: PaymentsView, scope: 'alternate' },
  ledger: { title: 'Ledger', Component: LedgerView },
};

/** The views for a token that has access to these datasets. */
export function getAvailableViews(catalogue: readonly DatasetEntry[]): View[] {
  return VIEWS.filter((view) => {
    const { scope } = VIEW_DEFINITIONS[view];
    return !scope || catalogue.some((dataset) => dataset.scope === scope);
  });
}

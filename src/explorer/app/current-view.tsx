import { useContext, useEffect } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { signOut } from '../api/session.ts';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { EmptyState } from '../components/query-view.tsx';
import { FundsView } from '../funds/funds-view.tsx';
import { LedgerView } from '../ledger/ledger-view.tsx';
import { MarketView } from '../market/market-view.tsx';
import { PaymentsView } from '../payments/payments-view.tsx';
import { replaceView, type View, type ViewRoute } from '../routing/view-route.ts';
import { SecurityView } from '../security/security-view.tsx';
import { getAvailableViews, getViewRequirement } from './available-views.ts';
import { VIEW_TITLES } from './view-titles.ts';

const VIEW_COMPONENTS: Readonly<Record<View, () => preact.JSX.Element>> = {
  market: MarketView,
  security: SecurityView,
  funds: FundsView,
  payments: PaymentsView,
  ledger: LedgerView,
};

/** The view that the address names, or where it names none, the first that the token opens. */
export function CurrentView({ place: route }: { readonly place: ViewRoute }) {
  const { catalogue } = useContext(ExplorerContext);
  const { view, isViewExplicit } = route;
  const open = getAvailableViews(catalogue);
  const isOpen = open.includes(view);
  const wanted = isOpen || isViewExplicit ? undefined : open[0];
  useEffect(() => {
    if (wanted) replaceView(wanted);
  }, [wanted]);
  if (wanted) return null;
  const Shown = VIEW_COMPONENTS[view];
  if (!isOpen) return <ViewUnavailable view={view} />;
  return (
    <ErrorBoundary key={view}>
      <Shown />
    </ErrorBoundary>
  );
}

function ViewUnavailable({ view }: { readonly view: View }) {
  const scope = getViewRequirement(view)?.scope;
  return (
    <>
      <h1>{VIEW_TITLES[view]}</h1>
      <EmptyState title="Your token does not open this">
        It takes a token with the scope <code>{scope}</code>: whoever runs the service makes one
        with <code>npx tenor token create --name NAME --scopes {scope}</code>.{' '}
        <button type="button" onClick={() => signOut()}>
          Sign in with another token
        </button>
      </EmptyState>
    </>
  );
}

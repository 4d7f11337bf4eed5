import { useContext, useEffect } from 'preact/hooks';
import { type Place, settleOn, type View } from '../address/place.ts';
import { Funds } from '../funds/funds.tsx';
import { Ledger } from '../ledger/ledger.tsx';
import { Market } from '../market/market.tsx';
import { Boundary } from '../parts/boundary.tsx';
import { Empty } from '../parts/states.tsx';
import { Payments } from '../payments/payments.tsx';
import { Security } from '../security/security.tsx';
import { ServiceContext } from '../service/service.ts';
import { signOut } from '../service/session.ts';
import { needOf, openViews } from './open-views.ts';
import { TITLES } from './titles.ts';

const VIEW_OF: Readonly<Record<View, () => preact.JSX.Element>> = {
  market: Market,
  security: Security,
  funds: Funds,
  payments: Payments,
  ledger: Ledger,
};

/** The view that the address names, or where it names none, the first that the token opens. */
export function OpenView({ place }: { readonly place: Place }) {
  const { catalogue } = useContext(ServiceContext);
  const { view, isNamed } = place;
  const open = openViews(catalogue);
  const isOpen = open.includes(view);
  const wanted = isOpen || isNamed ? undefined : open[0];
  useEffect(() => {
    if (wanted) settleOn(wanted);
  }, [wanted]);
  if (wanted) return null;
  const Shown = VIEW_OF[view];
  if (!isOpen) return <Closed view={view} />;
  return (
    <Boundary key={view}>
      <Shown />
    </Boundary>
  );
}

function Closed({ view }: { readonly view: View }) {
  const scope = needOf(view)?.scope;
  return (
    <>
      <h1>{TITLES[view]}</h1>
      <Empty title="Your token does not open this">
        It takes a token with the scope <code>{scope}</code>: whoever runs the service makes one
        with <code>npx tenor token create --name NAME --scopes {scope}</code>.{' '}
        <button type="button" onClick={() => signOut()}>
          Sign in with another token
        </button>
      </Empty>
    </>
  );
}

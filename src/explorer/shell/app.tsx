import { useEffect } from 'preact/hooks';
import { usePlace, type View } from '../address/place.ts';
import { Funds } from '../funds/funds.tsx';
import { Ledger } from '../ledger/ledger.tsx';
import { Market } from '../market/market.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Payments } from '../payments/payments.tsx';
import { Security } from '../security/security.tsx';
import { ServiceContext } from '../service/service.ts';
import { useSession } from '../service/session.ts';
import { useService } from '../service/use-service.ts';
import { Header } from './header.tsx';
import { Notices } from './notices.tsx';
import { SignIn } from './sign-in.tsx';
import { TITLES } from './titles.ts';

/** The whole page. */
export function App() {
  const { token, why } = useSession();
  return token === undefined ? <SignIn why={why} /> : <Explorer key={token} token={token} />;
}

const VIEW_OF: Readonly<Record<View, () => preact.JSX.Element>> = {
  market: Market,
  security: Security,
  funds: Funds,
  payments: Payments,
  ledger: Ledger,
};

function Explorer({ token }: { readonly token: string }) {
  const { view, at } = usePlace();
  const { service, failure, isAway } = useService(token, at.asof);
  const Shown = VIEW_OF[view];
  useEffect(() => {
    document.title = `${TITLES[view]} · Tenor`;
  }, [view]);
  if (!service) {
    return (
      <main class="whole">
        {failure ? <Failed failure={failure} /> : <Loading what="what there is" />}
        {failure && <a href="?">Start again, at the present</a>}
      </main>
    );
  }
  return (
    <ServiceContext.Provider value={service}>
      <button type="button" class="skip" onClick={toContent}>
        To the content
      </button>
      <Header view={view} />
      <Notices isAway={isAway} />
      <main id="view" tabIndex={-1}>
        <Shown key={view} />
      </main>
    </ServiceContext.Provider>
  );
}

/** For those who go by keys: past the head, without a step in the browser's history. */
function toContent(): void {
  document.getElementById('view')?.focus();
}

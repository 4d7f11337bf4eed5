import { useContext } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { EmptyState, QueryView, type QueryViewProps } from '../components/query-view.tsx';
import { Link } from '../routing/link.tsx';
import { useViewRoute } from '../routing/view-route.ts';
import type { SecuritySummary as Listed } from './quote.ts';
import { SecurityPage } from './security-page.tsx';
import { SecuritySearch } from './security-search.tsx';

/** One security over time, with what was corrected; without one, a way to find it. */
export function SecurityView() {
  const { catalogue } = useContext(ExplorerContext);
  const { symbol } = useViewRoute().params;
  const entry = catalogue.find(({ shape }) => shape === 'quotes');
  const listed = useQuery<readonly Listed[]>(entry && { path: '/2.0/bnb/securities' });
  if (!entry) {
    return (
      <>
        <h1>Security</h1>
        <EmptyState title="This token does not open quotes">Sign in with one that does.</EmptyState>
      </>
    );
  }
  return !symbol ? (
    <>
      <h1>Find a security</h1>
      <QueryView query={listed} subject="securities">
        {(securities) => <SecuritySearch entry={entry} securities={securities} />}
      </QueryView>
    </>
  ) : (
    <TitledQueryView title={symbol} query={listed} subject="securities">
      {(securities) => <SecurityBySymbol entry={entry} securities={securities} name={symbol} />}
    </TitledQueryView>
  );
}

/** What was asked for brings a heading of its own; until then, or without it, there is this one. */
function TitledQueryView<T>({ title, ...shown }: QueryViewProps<T> & { readonly title: string }) {
  return (
    <>
      {shown.query.data === undefined && <h1>{title}</h1>}
      <QueryView {...shown} />
    </>
  );
}

interface SecurityBySymbolProps {
  readonly entry: DatasetEntry;
  readonly securities: readonly Listed[];
  /** A symbol or an ISIN, in any letter case: the service knows whose. */
  readonly name: string;
}

function SecurityBySymbol({ entry, securities, name }: SecurityBySymbolProps) {
  const query = useQuery<readonly Quote[]>({ path: entry.path, parameters: { symbol: name } });
  return (
    <TitledQueryView title={name} query={query} subject={name}>
      {([quote]) => {
        const security = securities.find(({ symbol }) => symbol === quote?.symbol);
        return security ? (
          <SecurityPage
            key={security.symbol}
            entry={entry}
            security={security}
            securities={securities}
          />
        ) : (
          <UnknownSecurity name={name} />
        );
      }}
    </TitledQueryView>
  );
}

function UnknownSecurity({ name }: { readonly name: string }) {
  const { api } = useContext(ExplorerContext);
  return (
    <>
      <h1>{name}</h1>
      <EmptyState title={`No security is called “${name}”`}>
        {api.asOf !== undefined && 'It may have had no quote yet at the instant you look at. '}
        <Link view="security" params={{ find: name }}>
          Find it by a part of its symbol or ISIN
        </Link>
        , or <Link view="security">look through all of them</Link>.
      </EmptyState>
    </>
  );
}

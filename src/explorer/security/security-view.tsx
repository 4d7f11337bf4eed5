import { useContext } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { ExplorerContext, useDataset } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { EmptyState, QueryView, type QueryViewProps } from '../components/query-view.tsx';
import { Link } from '../routing/link.tsx';
import { useViewRoute } from '../routing/view-route.ts';
import type { SecuritySummary } from './quote.ts';
import { SecurityPage } from './security-page.tsx';
import { SecuritySearch } from './security-search.tsx';

/** The page of the security that the URL names; without one, a search. */
export function SecurityView() {
  const entry = useDataset('quotes');
  const { symbol } = useViewRoute().params;
  const query = useQuery<readonly SecuritySummary[]>({ path: '/2.0/bnb/securities' });
  if (symbol) {
    return (
      <TitledQueryView title={symbol} query={query} subject="securities">
        {(securities) => <SecurityBySymbol entry={entry} securities={securities} name={symbol} />}
      </TitledQueryView>
    );
  }
  return (
    <>
      <h1>Find a security</h1>
      <QueryView query={query} subject="securities">
        {(securities) => <SecuritySearch entry={entry} securities={securities} />}
      </QueryView>
    </>
  );
}

/** A query whose data brings a heading of its own: until it is there, the title is shown. */
function TitledQueryView<T>({ title, ...props }: QueryViewProps<T> & { readonly title: string }) {
  return (
    <>
      {props.query.data === undefined && <h1>{title}</h1>}
      <QueryView {...props} />
    </>
  );
}

interface SecurityBySymbolProps {
  readonly entry: DatasetEntry;
  readonly securities: readonly SecuritySummary[];
  /** A symbol or an ISIN, in any letter case: the service resolves it. */
  readonly name: string;
}

function SecurityBySymbol({ entry, securities, name }: SecurityBySymbolProps) {
  const query = useQuery<readonly Quote[]>({ path: entry.path, parameters: { symbol: name } });
  return (
    <TitledQueryView title={name} query={query} subject={name}>
      {([quote]) => {
        const security = securities.find(({ symbol }) => symbol === quote?.symbol);
        if (!security) return <UnknownSecurity name={name} />;
        return <SecurityPage key={security.symbol} {...{ entry, security, securities }} />;
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

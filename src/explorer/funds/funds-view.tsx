import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { EmptyState } from '../components/query-view.tsx';
import { useViewRoute } from '../routing/view-route.ts';
import { FundListPage } from './fund-list-page.tsx';
import { FundPage } from './fund-page.tsx';

/** What mutual funds hold: all of them in a list, one in full, or two side by side. */
export function FundsView() {
  const { catalogue } = useContext(ExplorerContext);
  const { params } = useViewRoute();
  const entry = catalogue.find(({ shape }) => shape === 'fund');
  if (!entry) {
    return (
      <>
        <h1>Funds</h1>
        <EmptyState title="There are no funds here">
          This token does not open them. Sign in with one that has the scope for them.
        </EmptyState>
      </>
    );
  }
  if (params.fund === undefined) return <FundListPage entry={entry} />;
  // What was answered for one fund is not to be shown under the name of another.
  const other = params.with === params.fund ? undefined : params.with;
  return (
    <FundPage key={`${params.fund} ${other}`} entry={entry} fund={params.fund} other={other} />
  );
}

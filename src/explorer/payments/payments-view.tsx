import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { EmptyState } from '../components/query-view.tsx';
import { Link } from '../routing/link.tsx';
import { useViewRoute } from '../routing/view-route.ts';
import { SeriesOverview } from './series-overview.tsx';
import { SeriesPage } from './series-page.tsx';

/** The payment sector's series: all of them at a glance, or one of them in full. */
export function PaymentsView() {
  const { catalogue } = useContext(ExplorerContext);
  const { params } = useViewRoute();
  const entries = catalogue.filter(({ shape }) => shape === 'series');
  const entry = entries.find(({ name }) => name === params.series);
  // What was answered for one series is not to be shown under the name of another.
  if (entry) return <SeriesPage key={entry.name} entry={entry} entries={entries} />;
  return (
    <>
      <h1>Payments</h1>
      {params.series !== undefined && (
        <EmptyState title={`There is no series “${params.series}”`}>
          Choose one of those below, or <Link view="payments">leave it at that</Link>.
        </EmptyState>
      )}
      {entries.length > 0 ? (
        <SeriesOverview entries={entries} />
      ) : (
        <EmptyState title="There is no series here">
          This token does not open any. Sign in with one that has the scope for them.
        </EmptyState>
      )}
    </>
  );
}

import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { EmptyState } from '../components/query-view.tsx';
import { Link } from '../routing/link.tsx';
import { useViewRoute } from '../routing/view-route.ts';
import { SeriesOverview } from './series-overview.tsx';
import { SeriesPage } from './series-page.tsx';

/** The overview of all payment series, or one of them in full. */
export function PaymentsView() {
  const { catalogue } = useContext(ExplorerContext);
  const { series } = useViewRoute().params;
  const entries = catalogue.filter(({ shape }) => shape === 'series');
  const entry = entries.find(({ name }) => name === series);
  // The key keeps the data of one series from appearing under the name of another.
  if (entry) return <SeriesPage key={entry.name} entry={entry} entries={entries} />;
  return (
    <>
      <h1>Payments</h1>
      {series !== undefined && (
        <EmptyState title={`There is no series “${series}”`}>
          Choose one of those below, or <Link view="payments">show all series</Link>.
        </EmptyState>
      )}
      <SeriesOverview entries={entries} />
    </>
  );
}

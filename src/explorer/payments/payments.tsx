import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { usePlace } from '../address/place.ts';
import { Empty } from '../parts/states.tsx';
import { ServiceContext } from '../service/service.ts';
import { Overview } from './overview.tsx';
import { SeriesPage } from './series-page.tsx';

/** The payment sector's series: all of them at a glance, or one of them in full. */
export function Payments() {
  const { catalogue } = useContext(ServiceContext);
  const { at } = usePlace();
  const entries = catalogue.filter(({ shape }) => shape === 'series');
  const entry = entries.find(({ name }) => name === at.series);
  // What was answered for one series is not to be shown under the name of another.
  if (entry) return <SeriesPage key={entry.name} entry={entry} entries={entries} />;
  return (
    <>
      <h1>Payments</h1>
      {at.series !== undefined && (
        <Empty title={`There is no series “${at.series}”`}>
          Choose one of those below, or <Link to="payments">leave it at that</Link>.
        </Empty>
      )}
      {entries.length > 0 ? (
        <Overview entries={entries} />
      ) : (
        <Empty title="There is no series here">
          This token does not open any. Sign in with one that has the scope for them.
        </Empty>
      )}
    </>
  );
}

import { useMemo } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { changesOf } from '../composition/changes.ts';
import { Change } from '../composition/figure-cell.tsx';
import { Spark } from '../composition/spark.tsx';
import { figure, unitOf } from '../figures/figures.ts';
import { Shown } from '../parts/states.tsx';
import type { AnyRecord, Entry } from '../service/catalogue.ts';
import { useAnswer } from '../service/use-answer.ts';
import { drawingsOf, type Wanted } from './drawing.ts';
import { headlineOf, headlineWords, type Series, seriesOf } from './series.ts';

/** Every series at a glance. */
export function Overview({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <>
      <p class="lead">
        {entries.length} series, each with its newest figure and how that changed on the year.
      </p>
      <div class="cards">
        {entries.map((entry) => (
          <Card key={entry.name} entry={entry} />
        ))}
      </div>
    </>
  );
}

function Card({ entry }: { readonly entry: Entry }) {
  const asked = useAnswer<readonly AnyRecord[]>({ path: entry.path });
  return (
    <article class="card">
      <h2>
        <Link to="payments" at={{ series: entry.name }}>
          {entry.title}
        </Link>
      </h2>
      <Shown asked={asked} what="its figures">
        {(records) => <Glance entry={entry} records={records} />}
      </Shown>
    </article>
  );
}

const USUAL: Wanted = { mode: 'amounts', isShared: true, hidden: new Set(), amendments: [] };

interface GlanceProps {
  readonly entry: Entry;
  readonly records: readonly AnyRecord[];
}

function Glance({ entry, records }: GlanceProps) {
  const series = useMemo(() => seriesOf(entry, records), [entry, records]);
  // Of several charts, the first: the whole, where there is one.
  const [drawing] = useMemo(() => drawingsOf(series, USUAL), [series]);
  const headline = headlineOf(series);
  if (!headline || !drawing) return <p class="quiet">No figures were published yet.</p>;
  const isWhole = series.kind === 'multiples';
  const lines = isWhole ? drawing.lines.map((line) => ({ ...line, tone: 1 })) : drawing.lines;
  return (
    <>
      <p class="glance">
        <span>
          <b>{figure(headline.values.at(-1), headline.measure)}</b> {unitOf(headline.measure)}
        </span>
        <OnYear series={series} />
      </p>
      <Spark xs={series.places} lines={lines} layout={drawing.layout} />
      <p class="quiet">
        {headlineWords(series, headline)}, {series.labels.at(-1)}
      </p>
    </>
  );
}

function OnYear({ series }: { readonly series: Series }) {
  const headline = headlineOf(series);
  if (!headline || series.perYear === undefined) return null;
  return (
    <span>
      <Change value={changesOf(headline, series.perYear).at(-1)} measure={headline.measure} />{' '}
      <small>on the year</small>
    </span>
  );
}

import { useMemo } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { go } from '../address/place.ts';
import { Checks } from '../composition/checks.tsx';
import { amendmentsOf, MOST_CORRECTIONS } from '../differences/amendments.ts';
import { Corrections } from '../differences/corrections.tsx';
import { Meanings, Notes } from '../parts/notes.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { AnyRecord, Correction, Entry } from '../service/catalogue.ts';
import { useAnswer } from '../service/use-answer.ts';
import { ChartPanel } from './chart-panel.tsx';
import { Gaps } from './gaps.tsx';
import { NewestPanel } from './newest-panel.tsx';
import { seriesOf } from './series.ts';
import { TablePanel } from './table-panel.tsx';
import { Tiles } from './tiles.tsx';

interface SeriesPageProps {
  readonly entry: Entry;
  readonly entries: readonly Entry[];
}

/** One series in full. */
export function SeriesPage({ entry, entries }: SeriesPageProps) {
  const asked = useAnswer<readonly AnyRecord[]>({ path: entry.path });
  return (
    <>
      <div class="title-row">
        <h1>{entry.title}</h1>
        <div class="tools">
          <Link to="payments">All series</Link>
          <select
            aria-label="Series"
            value={entry.name}
            onChange={({ currentTarget }) => go({ ...FRESH, series: currentTarget.value })}
          >
            {entries.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="lead">{entry.meaning}</p>
      <Shown asked={asked} what={entry.title}>
        {(records) => <Body entry={entry} records={records} />}
      </Shown>
    </>
  );
}

/** What was chosen for one series means nothing for another. */
const FRESH = { mode: undefined, scale: undefined, hide: undefined, table: undefined };

interface BodyProps {
  readonly entry: Entry;
  readonly records: readonly AnyRecord[];
}

function Body({ entry, records }: BodyProps) {
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { limit: MOST_CORRECTIONS },
  };
  const corrected = useAnswer<readonly Correction[]>(question);
  const series = useMemo(() => seriesOf(entry, records), [entry, records]);
  const amendments = useMemo(
    () => amendmentsOf(entry, corrected.data ?? [], series.figures),
    [entry, series, corrected.data],
  );
  const slices = series.labels.flatMap((label, index) => {
    const record = series.records[index];
    return record ? [{ label, record }] : [];
  });
  slices.reverse();
  const shown = { entry, series, amendments };
  if (records.length === 0) return <Nothing entry={entry} />;
  return (
    <>
      <Tiles series={series} />
      <div class="split">
        <ChartPanel {...shown} />
        <div class="side">
          <NewestPanel series={series} />
          <Notes entry={entry} />
        </div>
      </div>
      <div class="split">
        <TablePanel {...shown} />
        <div class="side">
          <Checks dataset={entry.name} checks={entry.checks} slices={slices} noun={series.noun}>
            <Gaps series={series} />
          </Checks>
          <Corrections question={question} asked={corrected} amendments={amendments} />
        </div>
      </div>
      <Meanings entry={entry} />
    </>
  );
}

function Nothing({ entry }: Pick<BodyProps, 'entry'>) {
  return (
    <>
      <Empty title="No figures were published yet">
        Look at a later instant, or load some with <code>npx tenor load</code>.
      </Empty>
      <Notes entry={entry} />
      <Meanings entry={entry} />
    </>
  );
}

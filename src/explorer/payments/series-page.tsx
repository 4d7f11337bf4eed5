import { useMemo } from 'preact/hooks';
import type { CorrectionEntry, DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { ChecksPanel } from '../breakdown/checks-panel.tsx';
import { FieldsPanel, NotesPanel } from '../components/dataset-panels.tsx';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import { groupByRevision, MAX_CORRECTIONS } from '../corrections/revision-corrections.ts';
import { Link } from '../routing/link.tsx';
import { updateParams } from '../routing/view-route.ts';
import { LatestPeriodPanel } from './latest-period-panel.tsx';
import { MissingPeriods } from './missing-periods.tsx';
import { SeriesChartPanel } from './series-chart-panel.tsx';
import { buildSeriesData } from './series-data.ts';
import { SeriesTablePanel } from './series-table-panel.tsx';
import { SeriesTiles } from './series-tiles.tsx';

interface SeriesPageProps {
  readonly entry: DatasetEntry;
  readonly entries: readonly DatasetEntry[];
}

/** One series in full. */
export function SeriesPage({ entry, entries }: SeriesPageProps) {
  const query = useQuery<readonly JsonRecord[]>({ path: entry.path });
  return (
    <>
      <div class="title-row">
        <h1>{entry.title}</h1>
        <div class="toolbar">
          <Link view="payments">All series</Link>
          <select
            aria-label="Series"
            value={entry.name}
            onChange={({ currentTarget }) =>
              updateParams({ ...RESET_PARAMS, series: currentTarget.value })
            }
          >
            {entries.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="description">{entry.meaning}</p>
      <QueryView query={query} subject={entry.title}>
        {(records) => <SeriesContent entry={entry} records={records} />}
      </QueryView>
    </>
  );
}

/** What was chosen for one series means nothing for another. */
const RESET_PARAMS = { mode: undefined, scale: undefined, hide: undefined, table: undefined };

interface SeriesContentProps {
  readonly entry: DatasetEntry;
  readonly records: readonly JsonRecord[];
}

function SeriesContent({ entry, records }: SeriesContentProps) {
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { limit: MAX_CORRECTIONS },
  };
  const corrected = useQuery<readonly CorrectionEntry[]>(question);
  const series = useMemo(() => buildSeriesData(entry, records), [entry, records]);
  const corrections = useMemo(
    () => groupByRevision(entry, corrected.data ?? [], series.allComponents),
    [entry, series, corrected.data],
  );
  const slices = series.labels.flatMap((label, index) => {
    const record = series.records[index];
    return record ? [{ label, record }] : [];
  });
  slices.reverse();
  const shown = { entry, series, amendments: corrections };
  if (records.length === 0) return <NoFigures entry={entry} />;
  return (
    <>
      <SeriesTiles series={series} />
      <div class="two-columns">
        <SeriesChartPanel {...shown} />
        <div class="sidebar">
          <LatestPeriodPanel series={series} />
          <NotesPanel entry={entry} />
        </div>
      </div>
      <div class="two-columns">
        <SeriesTablePanel {...shown} />
        <div class="sidebar">
          <ChecksPanel
            dataset={entry.name}
            checks={entry.checks}
            slices={slices}
            noun={series.periodNoun}
          >
            <MissingPeriods series={series} />
          </ChecksPanel>
          <CorrectionsPanel question={question} asked={corrected} amendments={corrections} />
        </div>
      </div>
      <FieldsPanel entry={entry} />
    </>
  );
}

function NoFigures({ entry }: Pick<SeriesContentProps, 'entry'>) {
  return (
    <>
      <EmptyState title="No figures were published yet">
        Look at a later instant, or load some with <code>npx tenor load</code>.
      </EmptyState>
      <NotesPanel entry={entry} />
      <FieldsPanel entry={entry} />
    </>
  );
}

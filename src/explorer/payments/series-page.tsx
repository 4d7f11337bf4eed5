import { useMemo } from 'preact/hooks';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { ChecksPanel } from '../breakdown/checks-panel.tsx';
import { findMissingPeriods } from '../breakdown/timeline.ts';
import { FieldsPanel, NotesPanel } from '../components/dataset-panels.tsx';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import { useCorrections } from '../corrections/use-corrections.ts';
import { pluralize } from '../formatting/numbers.ts';
import { PublicationWarnings } from '../ledger/publication-warnings.tsx';
import { Link } from '../routing/link.tsx';
import { updateParams } from '../routing/view-route.ts';
import { LatestPeriodPanel } from './latest-period-panel.tsx';
import { SeriesChartPanel } from './series-chart-panel.tsx';
import { buildSeriesData, type SeriesData } from './series-data.ts';
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

/** The parameters that do not carry over to another series. */
const RESET_PARAMS = { mode: undefined, scale: undefined, hide: undefined, table: undefined };

interface SeriesContentProps {
  readonly entry: DatasetEntry;
  readonly records: readonly JsonRecord[];
}

function SeriesContent({ entry, records }: SeriesContentProps) {
  const series = useMemo(() => buildSeriesData(entry, records), [entry, records]);
  const correctionsQuery = useCorrections(entry, {}, series.allComponents);
  if (records.length === 0) {
    return (
      <>
        <EmptyState title="No figures have been published yet">
          Look at a later instant, or load some with <code>npx tenor load</code>.
        </EmptyState>
        <NotesPanel entry={entry} />
        <FieldsPanel entry={entry} />
      </>
    );
  }
  const periods = series.labels.flatMap((label, index) => {
    const record = series.records[index];
    return record ? [{ label, record }] : [];
  });
  const panelProps = { entry, series, corrections: correctionsQuery.corrections };
  return (
    <>
      <SeriesTiles series={series} />
      <div class="two-columns">
        <SeriesChartPanel {...panelProps} />
        <div class="sidebar">
          <LatestPeriodPanel series={series} />
          <NotesPanel entry={entry} />
        </div>
      </div>
      <div class="two-columns">
        <SeriesTablePanel {...panelProps} />
        <div class="sidebar">
          <ChecksPanel entry={entry} periods={periods.toReversed()} periodNoun={series.periodNoun}>
            <MissingPeriods series={series} />
            <PublicationWarnings dataset={entry.name} subject="this series" />
          </ChecksPanel>
          <CorrectionsPanel {...correctionsQuery} />
        </div>
      </div>
      <FieldsPanel entry={entry} />
    </>
  );
}

const MAX_LISTED_PERIODS = 6;

/** Whether periods are missing between the first and the last, and which. */
function MissingPeriods({ series }: { readonly series: SeriesData }) {
  const { labels, periodNoun } = series;
  const missing = findMissingPeriods(series);
  const range = `${labels[0]} to ${labels.at(-1)}`;
  if (missing.length === 0) {
    return <p class="check-passed">{`No ${periodNoun} is missing: ${range}`}</p>;
  }
  const unlistedCount = missing.length - MAX_LISTED_PERIODS;
  return (
    <p class="warning">
      {pluralize(missing.length, periodNoun)} of {range} {missing.length === 1 ? 'is' : 'are'}{' '}
      missing: {missing.slice(0, MAX_LISTED_PERIODS).join(', ')}
      {unlistedCount > 0 && ` and ${unlistedCount} more`}. The chart has a gap there.
    </p>
  );
}

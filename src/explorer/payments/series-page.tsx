import { type DatasetEntry, type JsonRecord, listDatasetOptions } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { ChecksPanel } from '../breakdown/checks-panel.tsx';
import { findMissingPeriods } from '../breakdown/period-timeline.ts';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, NotesPanel, QueryView } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { CorrectionsPanel, useCorrections } from '../corrections/corrections-panel.tsx';
import { formatQuantity } from '../formatting/numbers.ts';
import { Link, navigate, updateParams, urlFor, useViewRoute } from '../routing/view-route.tsx';
import { createSeriesRequest, formatCombination, splitByDimensions } from './dimensions.ts';
import { SeriesChartPanel } from './series-chart-panel.tsx';
import { buildSeriesData, type SeriesData } from './series-data.ts';
import { LatestPeriodPanel, SeriesTablePanel } from './series-table-panel.tsx';

export function SeriesPage(props: { entry: DatasetEntry; entries: readonly DatasetEntry[] }) {
  const { entry, entries } = props;
  const query = useQuery<readonly JsonRecord[]>(createSeriesRequest(entry));
  return (
    <>
      <div class="title-row">
        <h1>{entry.title}</h1>
        <div class="toolbar">
          <Link view="payments">All series</Link>
          <Select
            label="Series"
            options={listDatasetOptions(entries)}
            value={entry.name}
            onChange={(series) => updateParams({ ...RESET_PARAMS, series })}
          />
          {renderCompareSelect(entry, entries)}
        </div>
      </div>
      <p class="description">{entry.meaning}</p>
      <LateNote entry={entry} />
      <QueryView query={query} subject={entry.title}>
        {(records) => (
          <>
            <SeriesContent entry={entry} records={records} />
            {query.meta?.next && (
              <p class="muted">
                These are the newest {formatQuantity(records.length, 'record')}: the export has all.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

/** Leads to a chart of this series and another. */
function renderCompareSelect({ name }: DatasetEntry, entries: readonly DatasetEntry[]) {
  const others = entries.filter((entry) => entry.name !== name);
  return (
    <Select
      label="Compare with"
      labelClass="row"
      options={[{ key: '', text: 'choose one' }, ...listDatasetOptions(others)]}
      value=""
      onChange={(other) => navigate(urlFor('payments', { compare: `${name},${other}` }))}
    />
  );
}

/** The parameters that do not carry over to another series. */
const RESET_PARAMS = {
  ...{ mode: undefined, scale: undefined, hide: undefined, table: undefined, of: undefined },
};

function SeriesContent(props: { entry: DatasetEntry; records: readonly JsonRecord[] }) {
  const { entry } = props;
  const { params } = useViewRoute();
  const combinations = splitByDimensions(entry, props.records);
  const { key, dimensions, records } =
    combinations.find((each) => each.key === params.of) ?? combinations[0] ?? NO_COMBINATION;
  const series = buildSeriesData(entry, records);
  const correctionsQuery = useCorrections(
    entry,
    {},
    series.allComponents,
    ({ old }) => formatCombination(entry, old) === key,
  );
  if (records.length === 0) {
    return (
      <>
        <EmptyState title="No figures have been published yet">
          Look at a later instant, or load some with <code>npx tenor load</code>.
        </EmptyState>
        <NotesPanel entry={entry} />
      </>
    );
  }
  const periods = series.labels.flatMap((label, index) => {
    const record = series.records[index];
    return record ? [{ label, record }] : [];
  });
  const request = createSeriesRequest(entry, dimensions);
  const panelProps = { entry, request, series, corrections: correctionsQuery.corrections };
  return (
    <>
      {key !== '' && (
        <Select
          label={entry.fields
            .flatMap(({ name, meaning }) => (name in dimensions ? meaning : []))
            .join(', ')}
          labelClass="row"
          options={combinations.map((each) => ({ key: each.key, text: each.key }))}
          value={key}
          onChange={(of) => updateParams({ of })}
        />
      )}
      <div class="columns">
        <SeriesChartPanel {...panelProps} />
        <div class="stack">
          <LatestPeriodPanel series={series} />
          <NotesPanel entry={entry} />
          <ChecksPanel
            entry={entry}
            periods={periods.toReversed()}
            periodNoun={series.periodNoun}
            gaps={describeMissingPeriods(series)}
          />
        </div>
      </div>
      <div class="columns">
        <SeriesTablePanel {...panelProps} />
        <CorrectionsPanel
          {...correctionsQuery}
          vintages={{ path: `/vintages/${entry.name}`, parameters: dimensions }}
        />
      </div>
    </>
  );
}

const NO_COMBINATION = { key: '', dimensions: {}, records: [] };

const MAX_LISTED_PERIODS = 6;

/** Says which periods between the first and the last are missing, if any are. */
function describeMissingPeriods(series: SeriesData): string[] {
  const { labels, periodNoun } = series;
  const missing = findMissingPeriods(series);
  if (missing.length === 0) return [];
  const listed = missing.slice(0, MAX_LISTED_PERIODS).join(', ');
  const unlistedCount = missing.length - MAX_LISTED_PERIODS;
  const more = unlistedCount > 0 ? ` and ${unlistedCount} more` : '';
  const subject = `${formatQuantity(missing.length, periodNoun)} of ${labels[0]} to ${labels.at(-1)}`;
  return [`${subject} ${missing.length === 1 ? 'is' : 'are'} missing: ${listed}${more}`];
}

import { useCallback, useMemo } from 'preact/hooks';
import { isNumericField } from '../../catalogue/model/diff-records.ts';
import { UNITS_TITLES } from '../../catalogue/model/transform-parameters.ts';
import {
  type ApiRequest,
  type CorrectionEntry,
  type DatasetEntry,
  type JsonRecord,
  listDatasetOptions,
} from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, LoadingState, NotesPanel, QueryView } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { ChangeValue } from '../components/table-cells.tsx';
import { ViewHeader } from '../components/view-header.tsx';
import { CorrectionsPanel, useCorrections } from '../corrections/corrections-panel.tsx';
import { formatPeriodLabel } from '../formatting/dates.ts';
import { listNames } from '../formatting/list-names.ts';
import { formatQuantity, formatWithUnit } from '../formatting/numbers.ts';
import { navigate, updateParams, urlFor, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import { ChecksPanel } from '../series/checks-panel.tsx';
import { listMissingPeriods } from '../series/period-timeline.ts';
import { describeHeadline, getHeadline, type SeriesData } from '../series/series-data.ts';
import { chooseSeries, MAX_LINES } from './choose-series.ts';
import { DimensionControls } from './dimension-controls.tsx';
import { ALL_VALUES, createSeriesRequest, toParameters } from './dimensions.ts';
import { SeriesChartPanel } from './series-chart-panel.tsx';
import { SeriesTablePanel } from './series-table-panel.tsx';
import { listFrequencies, parseTransform } from './transforms.ts';

export function SeriesPage(props: { entry: DatasetEntry; entries: readonly DatasetEntry[] }) {
  const { entry, entries } = props;
  const { params } = useViewRoute();
  const { parameters } = parseTransform(entry, params);
  const newest = useQuery<readonly JsonRecord[]>(createSeriesRequest(entry, parameters));
  const isCut = newest.meta?.next !== undefined;
  const { choices } = useMemo(
    () => chooseSeries(entry, newest.data ?? [], params),
    [entry, newest.data, params],
  );
  // Of a dataset with more records than a page, the chosen ones are read whole.
  const count = choices.reduce((product, { chosen }) => product * (chosen?.length ?? Infinity), 1);
  const request = createSeriesRequest(entry, { ...toParameters(choices), ...parameters });
  const whole = useQuery<readonly JsonRecord[]>(
    isCut ? { ...request, allPages: count <= MAX_LINES } : undefined,
  );
  const query = isCut ? whole : newest;
  const chosen = useMemo(
    () => chooseSeries(entry, query.data ?? [], params, newest.data),
    [entry, newest.data, query.data, params],
  );
  const { meaning, title } = entry;
  const others = entries.filter(({ name }) => name !== entry.name);
  return (
    <>
      <ViewHeader title={title} options={<SeriesOptions entry={entry} others={others} />}>
        <Select
          label="Series"
          options={[{ key: '', text: 'Another series' }, ...listDatasetOptions(others)]}
          value=""
          onChange={(series) => navigate(urlFor('payments', { series, span: params.span }))}
        />
        <DimensionControls choices={chosen.choices} />
        {chosen.measure && <MeasureSelect entry={entry} value={chosen.measure.name} />}
      </ViewHeader>
      {meaning !== title && <p class="description">{meaning}</p>}
      <LateNote entry={entry} />
      <QueryView query={query} subject={title}>
        {(records) => (
          <>
            <SeriesContent entry={entry} records={records} request={request} chosen={chosen} />
            {chosen.leftOut > 0 && (
              <p class="muted">{formatQuantity(chosen.leftOut, 'more series')}: choose fewer.</p>
            )}
            {query.meta?.next && (
              <p class="muted">
                These are the newest {formatQuantity(records.length, 'record')}; the export has all
                of them.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

/** Coarser periods, other units, and a chart of this series and another. */
function SeriesOptions(props: { entry: DatasetEntry; others: readonly DatasetEntry[] }) {
  const { entry, others } = props;
  const { params } = useViewRoute();
  const frequencies = listFrequencies(entry);
  return (
    <>
      {frequencies.length > 0 && (
        <Select
          label="Frequency"
          labelClass="row"
          options={[
            { key: '', text: 'as published' },
            ...frequencies.map((key) => ({ key, text: key })),
          ]}
          value={params.frequency ?? ''}
          onChange={(frequency) => updateParams({ frequency: frequency || undefined })}
        />
      )}
      <Select
        label="Units"
        labelClass="row"
        options={Object.entries(UNITS_TITLES).map(([key, text]) => ({ key, text }))}
        value={params.units ?? 'lin'}
        onChange={(units) => updateParams({ units: units === 'lin' ? undefined : units })}
      />
      <Select
        label="Compare with"
        labelClass="row"
        options={[{ key: '', text: 'choose one' }, ...listDatasetOptions(others)]}
        value=""
        onChange={(other) => navigate(urlFor('payments', { compare: `${entry.name},${other}` }))}
      />
    </>
  );
}

interface SeriesContentProps {
  readonly entry: DatasetEntry;
  readonly records: readonly JsonRecord[];
  readonly request: ApiRequest;
  readonly chosen: ReturnType<typeof chooseSeries>;
}

function SeriesContent({ entry, records, request, chosen }: SeriesContentProps) {
  const { series, title, shownTitle, isMerged, choices, isChosen } = chosen;
  const isAsPublished = !title && !isMerged;
  const select = useCallback(
    (_: DatasetEntry, all: readonly CorrectionEntry[]) => all.filter(({ old }) => isChosen(old)),
    [chosen],
  );
  const labels = isAsPublished ? series.allComponents : undefined;
  const correctionsQuery = useCorrections(entry, {}, labels, select);
  if (records.length > 0 && series.records.length === 0)
    return (
      <EmptyState title="No figures have all of these values">
        Choose others above, or{' '}
        <ViewLink view="payments" params={{ series: entry.name, of: ALL_VALUES }}>
          all of them
        </ViewLink>
        .
      </EmptyState>
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
  // Marks of corrections make rows higher; waiting for them keeps the page from moving.
  if (!correctionsQuery.query.data && correctionsQuery.query.isLoading)
    return <LoadingState subject="corrections" />;
  const periods = series.labels.flatMap((label, index) => {
    const record = series.records[index];
    return record ? [{ label, record }] : [];
  });
  const panelProps = {
    series,
    title,
    shownTitle,
    entry: chosen.entry,
    request,
    isMerged,
    corrections: isAsPublished ? correctionsQuery.corrections : [],
  };
  return (
    <>
      {!title && !isMerged && <Headline series={series} />}
      <SeriesChartPanel {...panelProps} />
      <ChecksPanel
        entry={chosen.entry}
        periods={periods.toReversed()}
        periodNoun={series.periodNoun}
        gaps={describeMissingPeriods(series)}
      />
      <div class="columns">
        <SeriesTablePanel {...panelProps} />
        <div class="stack">
          <CorrectionsPanel
            {...correctionsQuery}
            vintages={{ path: `/vintages/${entry.name}`, parameters: toParameters(choices) }}
          />
          <NotesPanel entry={entry} />
        </div>
      </div>
    </>
  );
}

/** Which figure of several series is drawn, if they have several. */
function MeasureSelect({ entry, value }: { readonly entry: DatasetEntry; readonly value: string }) {
  const measures = entry.fields.filter((field) => isNumericField(field));
  if (measures.length < 2) return null;
  return (
    <Select
      label="Figure"
      options={measures.map(({ name, meaning }) => ({ key: name, text: meaning }))}
      value={value}
      onChange={(measure) => updateParams({ measure })}
    />
  );
}

/** The newest figure in a sentence: `Total, Q2 2026: 4,860.2 PKR billion, +16.9 % on the year.` */
function Headline({ series }: { readonly series: SeriesData }) {
  const headline = getHeadline(series);
  const { periodsPerYear, periodNoun, labels } = series;
  if (!headline) return null;
  const { values, unitInfo } = headline;
  const later = values.at(-1);
  const earlier = {
    year: series.getYearBefore(values, values.length - 1),
    // For years, the previous period is already a year earlier.
    [`${periodNoun} before`]: periodsPerYear > 1 ? values.at(-2) : undefined,
  };
  return (
    <p class="series-headline">
      {describeHeadline(series, headline)}, {formatPeriodLabel(labels.at(-1) ?? '')}:{' '}
      <b>{formatWithUnit(later, unitInfo)}</b>
      {Object.entries(earlier).map(
        ([noun, value]) =>
          value !== undefined && (
            <span key={noun}>
              , <ChangeValue later={later} earlier={value} unitInfo={unitInfo} /> on the {noun}
            </span>
          ),
      )}
      .
    </p>
  );
}

/** Says which periods between the first and the last are missing, if any are. */
function describeMissingPeriods(series: SeriesData): string[] {
  const { labels, periodNoun } = series;
  const missing = listMissingPeriods(series);
  if (missing.length === 0) return [];
  const subject = `${formatQuantity(missing.length, periodNoun)} of ${labels[0]} to ${labels.at(-1)}`;
  return [`${subject} ${missing.length === 1 ? 'is' : 'are'} missing: ${listNames(missing)}`];
}

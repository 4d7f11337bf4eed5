import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { judgeTimeliness } from '../../catalogue/model/next-due.ts';
import { useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { SparklineChart } from '../charts/chart-layers.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SearchBar } from '../components/search-list.tsx';
import { ChangeValue } from '../components/table-cells.tsx';
import { formatDayLabel, formatPeriodLabel } from '../formatting/dates.ts';
import { formatFigure, formatMatches, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import { buildChartConfigs, type ChartOptions } from '../series/chart-configs.ts';
import { describeHeadline, getHeadline } from '../series/series-data.ts';
import { chooseSeries } from './choose-series.ts';
import { createSeriesRequest, isDeclared, parseChoices, toParameters } from './dimensions.ts';
import {
  type FigureReference,
  formatFigureReferences,
  listComparable,
  parseFigureReferences,
} from './series-comparison.ts';
import { SeriesComparisonPanel } from './series-comparison-panel.tsx';
import { SeriesPage } from './series-page.tsx';

/** The overview of all series and declared datasets, or one of them in full. */
export function DatasetsView() {
  const { catalogue } = useExplorer();
  const { params } = useViewRoute();
  const names = useMemo(() => parseFigureReferences(params.compare), [params.compare]);
  const comparable = useMemo(() => listComparable(catalogue), [catalogue]);
  const entries = comparable.filter(({ shape }) => shape === 'series');
  const shown = entries.filter(hasFigures);
  const entry = entries.find(({ name }) => name === params.series);
  // The key keeps the data of one series from appearing under the name of another.
  if (entry) return <SeriesPage key={entry.name} entry={entry} entries={entries} />;
  return (
    <>
      <h1>Data</h1>
      {params.series !== undefined && (
        <EmptyState title={`There is no series “${params.series}”`}>
          Choose one of those below, or <ViewLink view="payments">show all series</ViewLink>.
        </EmptyState>
      )}
      {names.length > 0 && <SeriesComparisonPanel entries={comparable} names={names} />}
      <CardGroups entries={shown} names={names} />
      {shown.length < entries.length && (
        <p class="help">{entries.length - shown.length} more have no figures yet.</p>
      )}
    </>
  );
}

const hasFigures = ({ coverage }: DatasetEntry) => coverage.count > 0;

/** More datasets than this are searched through. */
const MAX_WITHOUT_SEARCH = 24;

/** The cards of all datasets, by scope, in the order of the catalogue. */
function CardGroups(props: {
  entries: readonly DatasetEntry[];
  names: readonly FigureReference[];
}) {
  const { entries, names } = props;
  const { find = '' } = useViewRoute().params;
  const words = find.toLowerCase().split(/\s+/);
  const matches = entries.filter(({ name, title, meaning }) => {
    const text = `${name} ${title} ${meaning}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const titles = Map.groupBy(entries, ({ title }) => title);
  const groups = Map.groupBy(matches, ({ scope }) => scope);
  return (
    <>
      {entries.length > MAX_WITHOUT_SEARCH && (
        <SearchBar
          label="Title or name"
          status={formatMatches(matches.length, entries.length, 'datasets')}
        />
      )}
      {[...groups].map(([scope, group]) => (
        <section key={scope} class="card-group" aria-label={getScopeTitle(scope)}>
          <h2>{getScopeTitle(scope)}</h2>
          <div class="cards">
            {group.map((entry) => (
              <SeriesCard
                key={entry.name}
                entry={entry}
                names={names}
                isAmbiguous={titles.get(entry.title)?.length !== 1}
              />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

const SCOPE_TITLES: ReadonlyMap<string, string> = new Map([
  ['alternate', 'Payments'],
  ['datasets', 'Datasets of the publisher'],
]);

const getScopeTitle = (scope: string) =>
  SCOPE_TITLES.get(scope) ?? scope.charAt(0).toUpperCase() + scope.slice(1).replaceAll('-', ' ');

/** Of a dataset with dimensions, its first combination has some of these. */
const CARD_RECORDS = 300;

interface SeriesCardProps {
  readonly entry: DatasetEntry;
  readonly names: readonly FigureReference[];
  /** Whether another dataset has the same title. */
  readonly isAmbiguous: boolean;
}

function SeriesCard({ entry, names, isAmbiguous }: SeriesCardProps) {
  const card = useRef<HTMLElement>(null);
  const isNear = useIsNear(card);
  const request = createSeriesRequest(
    entry,
    toParameters(parseChoices(entry, [], undefined)),
    isDeclared(entry) ? CARD_RECORDS : undefined,
  );
  const query = useQuery<readonly JsonRecord[]>(isNear ? request : undefined);
  const others = names.filter(({ series }) => series !== entry.name);
  const isCompared = others.length < names.length;
  const toggle = () => {
    const next = isCompared ? others : [...names, { series: entry.name, key: undefined }];
    updateParams({ compare: formatFigureReferences(next) });
  };
  return (
    <article class="card" ref={card}>
      <h3>
        <ViewLink view="payments" params={{ series: entry.name }}>
          {entry.title}
        </ViewLink>
        {isAmbiguous && <small> {entry.name}</small>}
      </h3>
      {isNear && (
        <QueryView query={query} subject="its figures">
          {(records) => renderSummary(entry, records)}
        </QueryView>
      )}
      <label class="compare">
        <input
          type="checkbox"
          aria-label={`Compare ${entry.title}`}
          checked={isCompared}
          onChange={toggle}
        />{' '}
        Compare
      </label>
    </article>
  );
}

/** How far below the screen cards load. */
const NEAR = '1500px';

/** Whether an element has been on the screen or near it: there may be a thousand. */
function useIsNear(ref: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: NEAR },
    );
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return isNear;
}

const DEFAULT_CHART_OPTIONS: ChartOptions = {
  mode: 'amounts',
  isScaleShared: true,
  hidden: new Set(),
  corrections: [],
};

function renderSummary(entry: DatasetEntry, records: readonly JsonRecord[]) {
  const { series, shownTitle } = chooseSeries(entry, records, {});
  const combination = shownTitle.slice(entry.title.length + 2);
  // The first chart, which is that of the total if there is one.
  const [config] = buildChartConfigs(series, DEFAULT_CHART_OPTIONS);
  const headline = getHeadline(series);
  if (!headline || !config) return null;
  const { values, unitInfo } = headline;
  const earlier = series.getYearBefore(values, values.length - 1);
  const isTotal = series.kind === 'multiples';
  const lines = isTotal ? config.lines.map((line) => ({ ...line, colorIndex: 1 })) : config.lines;
  return (
    <>
      <p class="series-summary">
        <span>
          <b>{formatFigure(values.at(-1), unitInfo)}</b> {getUnit(unitInfo)}
        </span>
        {earlier !== undefined && (
          <span>
            <ChangeValue later={values.at(-1)} earlier={earlier} unitInfo={unitInfo} />{' '}
            <small>on the year</small>
          </span>
        )}
      </p>
      <SparklineChart xs={series.ordinals} lines={lines} layout={config.layout} />
      <p class="muted">
        {[
          describeHeadline(series, headline),
          combination,
          formatPeriodLabel(series.labels.at(-1) ?? ''),
        ]
          .filter(Boolean)
          .join(', ')}
        <NextRelease entry={entry} />
      </p>
      <LateNote entry={entry} />
    </>
  );
}

/** When the next figures are due, unless they are late. */
function NextRelease({ entry: { nextDue } }: { readonly entry: DatasetEntry }) {
  const { api } = useExplorer();
  if (!nextDue || api.asOf !== undefined) return null;
  if (judgeTimeliness(nextDue, new Date()).timeliness === 'late') return null;
  return <>; next due {formatDayLabel(nextDue.dueAt.slice(0, 10))}</>;
}

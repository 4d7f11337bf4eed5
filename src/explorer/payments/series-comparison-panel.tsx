import { useMemo, useState } from 'preact/hooks';
import { type AlignedRow, createAlignedRequest } from '../api/aligned.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { type QueryResult, useQueries, useQuery } from '../api/use-query.ts';
import { buildPeriodTimeline, findCoarsestKind } from '../breakdown/period-timeline.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { Button } from '../components/button.tsx';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type TableColumn,
} from '../components/data-table.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { ChangeValue } from '../components/table-cells.tsx';
import { formatNumber, formatWithUnit } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { createSeriesRequest, isDeclared } from './dimensions.ts';
import { usePeriodAxis } from './series-chart-panel.tsx';
import {
  buildFigure,
  buildSeriesComparison,
  type ComparedFigure,
  describeFigure,
  type FigureReference,
  formatFigureReferences,
  listFigureKeys,
  SERIES_MODES,
} from './series-comparison.ts';

interface SeriesComparisonPanelProps {
  readonly entries: readonly DatasetEntry[];
  /** The compared figures; those of unknown series are left out. */
  readonly names: readonly FigureReference[];
}

/** Figures of several series on one chart, with what they are. */
export function SeriesComparisonPanel({ entries, names }: SeriesComparisonPanelProps) {
  const { params } = useViewRoute();
  const mode = parseOption(SERIES_MODES, params.by);
  const { request, query, timeline, figures } = useComparedFigures({ entries, names });
  const charts = useMemo(
    () => buildSeriesComparison(figures, mode, timeline.labels),
    [figures, mode, timeline],
  );
  const axis = usePeriodAxis(timeline);
  const [cursor, setCursor] = useState<number>();
  const unknown = names.filter(({ series }) => entries.every((entry) => entry.name !== series));
  const title = figures.map((figure) => figure.title).join(' and ');
  const compare = formatFigureReferences(figures.map(({ name, key }) => ({ ...name, key })));
  return (
    <Panel
      title="Comparison"
      class="comparison-panel text-table"
      lead={`By ${timeline.periodNoun}, the coarsest period of all.`}
      tools={
        <SegmentedControl label="What is drawn" options={SERIES_MODES} value={mode} param="by" />
      }
      exported={
        request && {
          request,
          fileName: 'comparison',
          chart: { title, frameParams: { compare } },
        }
      }
    >
      {unknown.length > 0 && (
        <EmptyState title={`Left out: ${unknown.map(({ series }) => series).join(', ')}`}>
          They are not known, or this token has no access to them. Choose some of those below.
        </EmptyState>
      )}
      {unknown.length < names.length && (
        <QueryView query={query} subject="the series">
          {() => (
            <>
              <div>
                <Legend
                  items={figures.map((each) => ({ ...each, name: each.title, mark: 'line' }))}
                />
                {charts.every(({ lines }) => lines.every(isEmptyLine)) && (
                  <EmptyState title="There is nothing to draw">
                    No period has figures that can be compared.
                  </EmptyState>
                )}
                {charts.map(({ unit, lines }) => (
                  <figure key={unit} class="chart-figure">
                    <LineChart
                      label={`${title}, ${unit}`}
                      {...{ ...axis, lines, cursor }}
                      yTitle={unit}
                      layout="lines"
                      labelNames={figures.map((figure) => figure.title)}
                      minAxisCharacters={6}
                      format={(value) => formatNumber(value, 1)}
                      getPointLabel={(index) => timeline.labels[index] ?? ''}
                      height={charts.length > 1 ? 220 : 340}
                      onCursor={setCursor}
                    />
                  </figure>
                ))}
              </div>
              <DataTable
                caption="What is compared"
                columns={createComparedColumns(names, timeline.labels)}
                rows={figures}
                getRowKey={(figure) => figure.title}
              />
            </>
          )}
        </QueryView>
      )}
    </Panel>
  );
}

const isEmptyLine = ({ values }: { readonly values: readonly unknown[] }) =>
  values.every((value) => value === undefined);

/** The newest records of a declared dataset tell its figures. */
const CHOICE_RECORDS = 200;

/** The figures from one aligned table, each with the keys of those that could take its place. */
function useComparedFigures({ entries, names }: SeriesComparisonPanelProps) {
  const compared = entries.filter(({ name }) => names.some(({ series }) => series === name));
  const choices = useQueries<readonly JsonRecord[]>(
    compared.map((entry) =>
      createSeriesRequest(entry, {}, isDeclared(entry) ? CHOICE_RECORDS : undefined),
    ),
  );
  const sources = useMemo(
    () =>
      names.flatMap((name) => {
        const index = compared.findIndex((each) => each.name === name.series);
        const entry = compared[index];
        const records = choices.data?.[index];
        if (!entry || !records) return [];
        const keys = listFigureKeys(entry, records);
        const figure = [name.key, ...keys]
          .map((key = '') => describeFigure(entry, key))
          .find(Boolean);
        return figure ? [{ ...figure, name, keys }] : [];
      }),
    [names, choices.data],
  );
  const request =
    sources.length > 0
      ? createAlignedRequest(sources.flatMap(({ requested }) => requested))
      : undefined;
  const table = useQuery<readonly AlignedRow[]>(request);
  const { timeline, figures } = useMemo(() => {
    const period = { field: 'period', kind: findCoarsestKind(sources.map(({ entry }) => entry)) };
    const timeline = buildPeriodTimeline({ period }, table.data ?? []);
    const figures = sources.map((each, index) => buildFigure(each, index, timeline.records));
    return { timeline, figures };
  }, [table.data, sources]);
  const query: QueryResult<unknown> = request ? table : choices;
  return { request, query, timeline, figures };
}

/** The compared figures, each of which can be exchanged for another of its series, or removed. */
function createComparedColumns(
  names: readonly FigureReference[],
  labels: readonly string[],
): TableColumn<ComparedFigure>[] {
  const compare = (next: readonly FigureReference[]) =>
    updateParams({ compare: formatFigureReferences(next) });
  const findNewest = ({ component: { values } }: ComparedFigure) =>
    values.findLastIndex((value) => value !== undefined);
  return [
    createTextColumn('series', 'Series', ({ name, title, colorIndex }) => (
      <span class={`class-label color-${colorIndex}`}>
        <Swatch {...{ colorIndex }} mark="line" />
        {title}{' '}
        <Button
          aria-label={`Remove ${title} from the comparison`}
          onClick={() => compare(names.filter((each) => each !== name))}
        >
          ×
        </Button>
      </span>
    )),
    createTextColumn('figure', 'Figure', ({ name, title, entry, key: own, keys }) => (
      <Select
        label={`Figure of ${title}`}
        options={[...new Set([...keys, own])].map((key) => ({
          key,
          text: describeFigure(entry, key)?.optionTitle ?? key,
        }))}
        value={own}
        onChange={(key) => compare(names.map((each) => (each === name ? { ...each, key } : each)))}
      />
    )),
    createColumn('newest', 'Newest', (figure) => (
      <>
        {formatWithUnit(figure.component.values[findNewest(figure)], figure.component.unitInfo)}
        <small class="previous-value">{labels[findNewest(figure)]}</small>
      </>
    )),
    createColumn('growth', 'On the year', (figure) => (
      <ChangeValue
        later={figure.component.values[findNewest(figure)]}
        earlier={figure.earlier[findNewest(figure)]}
        unitInfo={figure.component.unitInfo}
      />
    )),
  ];
}

import { useMemo } from 'preact/hooks';
import { type AlignedRow, createAlignedRequest } from '../api/aligned.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { useQueries, useQuery } from '../api/use-query.ts';
import { buildComparison, type ComparedFigure } from '../comparison/build-comparison.ts';
import { ComparisonCharts } from '../comparison/comparison-charts.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { ChangeValue } from '../components/table-cells.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { MODE_TITLES } from '../series/chart-configs.ts';
import { findCoarsestKind } from '../series/period-timeline.ts';
import { BaseSelect, RangeControl } from '../series/shown-range.tsx';
import { createSeriesRequest, isDeclared } from './dimensions.ts';
import {
  type ChosenFigure,
  chooseFigures,
  describeFigure,
  type FigureReference,
  formatFigureReferences,
  replaceFigure,
} from './series-comparison.ts';

interface SeriesComparisonPanelProps {
  readonly entries: readonly DatasetEntry[];
  /** The compared figures; those of unknown series are left out. */
  readonly names: readonly FigureReference[];
}

const MODES = {
  growth: 'Growth',
  change: 'Change',
  published: 'As published',
  rebased: 'Rebased',
};

const CHART_MODES = {
  growth: 'change',
  change: 'difference',
  published: 'amounts',
  rebased: 'rebased',
} as const;

/** What becomes of the figures of a finer series. */
const AGGREGATES = {
  '': 'usual aggregate',
  mean: 'mean',
  first: 'first',
  last: 'last',
  min: 'lowest',
  max: 'highest',
};

/** The share of its figures that a coarser period needs. */
const SHARES = {
  '1.0': 'complete periods',
  '0.5': 'half of a period',
  '0.0': 'any part of a period',
};

const toOptions = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([key, text]) => ({ key, text }));

/** Figures of several series on one chart, with their descriptions. */
export function SeriesComparisonPanel({ entries, names }: SeriesComparisonPanelProps) {
  const { params } = useViewRoute();
  const mode = parseOption(MODES, params.by);
  const aggregate = parseOption(AGGREGATES, params.aggregate);
  const compared = entries.filter(({ name }) => names.some(({ series }) => series === name));
  const series = compared.filter(({ shape }) => shape === 'series');
  const choices = useQueries<readonly JsonRecord[]>(
    series.map((entry) =>
      createSeriesRequest(entry, {}, isDeclared(entry) ? CHOICE_RECORDS : undefined),
    ),
  );
  const figures = useMemo(() => {
    const data = compared.map((entry) =>
      entry.shape === 'quotes' ? [] : choices.data?.[series.indexOf(entry)],
    );
    return chooseFigures(names, compared, data).map((figure) => ({
      ...figure,
      columns: figure.columns.map((column) => (aggregate ? `${column}@${aggregate}` : column)),
    }));
  }, [names, choices.data, aggregate]);
  const range = aggregate ? { min_share: parseOption(SHARES, params.share) } : {};
  const request =
    figures.length > 0
      ? createAlignedRequest(
          figures.flatMap(({ columns }) => columns),
          range,
        )
      : undefined;
  // A frame only reads the table, and does not know the main figures.
  const compare = formatFigureReferences(figures.map(({ reference }) => reference));
  const table = useQuery<readonly AlignedRow[]>(request);
  const comparison = useMemo(() => {
    const kind = findCoarsestKind(figures.map(({ entry }) => entry));
    return buildComparison(figures, table.data ?? [], kind);
  }, [figures, table.data]);
  const chartTitle = `${MODE_TITLES[CHART_MODES[mode]]}, by ${comparison.periodNoun}`;
  const isMixed = new Set(figures.map(({ entry }) => entry.period?.kind)).size > 1;
  const unknown = names.filter(({ series }) => entries.every((entry) => entry.name !== series));
  return (
    <ExportPanel
      title="Comparison"
      class="text-table"
      lead={`${chartTitle}, the coarsest period of all.`}
      tools={
        <>
          <SegmentedControl label="What is drawn" options={MODES} value={mode} param="by" />
          {mode === 'rebased' && <BaseSelect timeline={comparison} />}
          {(isMixed || aggregate) && (
            <Select
              label="Figure of a coarser period"
              options={toOptions(AGGREGATES)}
              value={aggregate}
              onChange={(key) => updateParams({ aggregate: key, share: undefined })}
            />
          )}
          {aggregate && (
            <Select
              label="Enough figures of a coarser period"
              options={toOptions(SHARES)}
              value={parseOption(SHARES, params.share)}
              onChange={(share) => updateParams({ share })}
            />
          )}
          <RangeControl timeline={comparison} />
        </>
      }
      exported={
        request && {
          request,
          fileName: 'comparison',
          chart: {
            title: `${figures.map(({ title }) => title).join(' and ')}: ${chartTitle}`,
            frameParams: { compare },
          },
        }
      }
    >
      {unknown.length > 0 && (
        <EmptyState title={`Left out: ${unknown.map(({ series }) => series).join(', ')}`}>
          They are unknown, or this token has no access to them. Choose some of those below.
        </EmptyState>
      )}
      {(request ?? series.length > 0) && (
        <QueryView<unknown> query={request ? table : choices} subject="the series">
          {() => (
            <ComparisonCharts
              comparison={comparison}
              mode={CHART_MODES[mode]}
              renderChoice={(figure) => renderFigureSelect(names, figure)}
              change={{
                title: 'On the year',
                render({ values, unitInfo }, newest) {
                  const earlier = comparison.getYearBefore(values, newest);
                  return (
                    <ChangeValue later={values[newest]} earlier={earlier} unitInfo={unitInfo} />
                  );
                },
              }}
              remove={(figure) => ({ compare: replaceFigure(names, figure) })}
            />
          )}
        </QueryView>
      )}
    </ExportPanel>
  );
}

/** The newest records of a declared dataset reveal its figures. */
const CHOICE_RECORDS = 200;

/** Exchanges a figure for another one of its series. */
function renderFigureSelect(
  names: readonly FigureReference[],
  figure: ComparedFigure<ChosenFigure>,
) {
  const { entry, reference, keys, title } = figure;
  return (
    <Select
      label={`Figure of ${title}`}
      options={[...new Set([...keys, reference.key])].map((key) => ({
        key,
        text: describeFigure(entry, key)?.optionTitle ?? key,
      }))}
      value={reference.key}
      onChange={(key) => updateParams({ compare: replaceFigure(names, figure, key) })}
    />
  );
}

import type { ComponentProps } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { ChartCurve } from '../charts/chart-data.ts';
import type { TooltipContent } from '../charts/chart-plot.tsx';
import { Legend } from '../charts/legend.tsx';
import { ScatterChart } from '../charts/scatter-chart.tsx';
import { Panel } from '../components/panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatNumber, formatWithUnit, getShortUnit } from '../formatting/numbers.ts';
import { navigate, urlFor } from '../routing/view-route.tsx';
import { SPREAD } from '../security/analytics.ts';
import { formatTypePlural, getField, getQuoteValue, hasYield } from '../security/quote.ts';
import { buildCurveTable } from './curve-table.ts';
import { createSpreads, type GetSpread } from './market-spreads.ts';
import {
  buildCurves,
  buildPoints,
  estimateYieldRange,
  type FilteredDay,
  getPointKey,
} from './yield-curves.ts';

export interface MarketPanelProps {
  readonly entry: DatasetEntry;
  readonly day: FilteredDay;
  readonly comparison: FilteredDay | undefined;
  readonly exported: ComponentProps<typeof ExportMenu>;
  /** The point that the chart and the table both show. */
  readonly pointedKey: string | undefined;
  readonly onPointKey: (key: string | undefined) => void;
}

const formatAxis = (value: number) => `${formatNumber(value, 1)} %`;
const TENOR_TICKS = [0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30].map((years) => {
  return { value: years, label: years < 1 ? `${years * 12}M` : `${years}Y` };
});

interface YieldCurvePanelProps extends MarketPanelProps {
  /** Fitted yields that a run will reach; undefined while nothing plays. */
  readonly playRates: readonly number[] | undefined;
}

export function YieldCurvePanel(props: YieldCurvePanelProps) {
  const { entry, day, comparison, exported, playRates, pointedKey, onPointKey } = props;
  const chartRef = useRef<HTMLDivElement>(null);
  const curveData = useMemo(() => buildCurveData(props), [entry, day, comparison]);
  const { legend, curves, points, quotesByKey, missingCount, getSpread } = curveData;
  const heldRange = useMemo(() => playRates && estimateYieldRange(playRates, day), [playRates]);
  const title = `Yield curve, ${formatDayLabel(day.date)}`;
  const chartTitle = comparison ? `${title}, and ${formatDayLabel(comparison.date)}` : title;
  return (
    <Panel
      title={title}
      class="curve"
      tools={
        <ExportMenu
          {...exported}
          chart={{ ref: chartRef, title: chartTitle }}
          getTable={() => buildCurveTable(curveData, day.date, comparison?.date)}
        />
      }
      lead={
        <>
          {describeAxes(entry)} Lines are fitted through all government and all corporate quotes
          (Nelson–Siegel; floaters are left out, outliers count less). Choose a point to open its
          security
          <span class="touch-hint">: the first touch shows its figures, the second opens it</span>.
        </>
      }
    >
      <div ref={chartRef}>
        <Legend items={legend} />
        <ScatterChart
          label={`Yields of ${formatDayLabel(day.date)} by years to maturity`}
          points={points}
          curves={curves}
          ticks={TENOR_TICKS}
          formatAxis={formatAxis}
          heldRange={heldRange}
          xTitle="Time to maturity"
          yTitle="Yield to maturity"
          cursorKey={pointedKey}
          onCursorKey={onPointKey}
          getTooltip={({ key, colorIndex }) =>
            buildTooltip(entry, quotesByKey.get(key), colorIndex, getSpread)
          }
          onSelect={({ key }) => {
            const symbol = quotesByKey.get(key)?.symbol;
            if (symbol) navigate(urlFor('security', { symbol }));
          }}
        />
      </div>
      {missingCount > 0 && (
        <p class="help">
          {missingCount === 1
            ? '1 quote has no yield and is not drawn.'
            : `${missingCount} quotes have no yield and are not drawn.`}
        </p>
      )}
    </Panel>
  );
}

function buildCurveData({ entry, day, comparison }: MarketPanelProps) {
  const types = getField(entry, 'type').values ?? [];
  const typeColors = Object.fromEntries(types.map((type, index) => [type, (index % 8) + 1]));
  const days = comparison ? [comparison, day] : [day];
  const quotes = days.flatMap(({ filteredQuotes }) => filteredQuotes);
  const spreadsByDate = new Map(days.map((each) => [each.date, createSpreads(each)]));
  const curves = days.flatMap((each) => buildCurves(each, each === comparison));
  return {
    curves,
    legend: buildLegend(typeColors, day, curves, comparison),
    missingCount: day.filteredQuotes.filter((quote) => !hasYield(quote)).length,
    points: days.flatMap((each) => buildPoints(each, typeColors, each === comparison)),
    quotesByKey: new Map(quotes.map((quote) => [getPointKey(quote), quote])),
    getSpread: (quote: Quote) => spreadsByDate.get(quote.date)?.(quote),
  };
}

function describeAxes({ chart, fields }: DatasetEntry): string {
  const [x, y] = (chart?.fields ?? []).map((name) => fields.find((field) => field.name === name));
  return `${y?.meaning} against ${x?.meaning.toLowerCase()}.`;
}

function buildLegend(
  typeColors: Readonly<Record<string, number>>,
  { filteredQuotes }: FilteredDay,
  curves: readonly ChartCurve[],
  comparison: FilteredDay | undefined,
) {
  const presentTypes = new Set<string>(filteredQuotes.map(({ type }) => type));
  const types = Object.entries(typeColors).filter(([type]) => presentTypes.has(type));
  const items = [
    ...types.map(([type, colorIndex]) => ({
      ...{ name: formatTypePlural(type), colorIndex },
      mark: 'point' as const,
    })),
    ...curves
      .filter(({ isComparison }) => !isComparison)
      .map(({ name, colorIndex }) => ({
        name: `${name}, fitted`,
        colorIndex,
        mark: 'line' as const,
      })),
  ];
  if (!comparison) return items;
  const name = `${formatDayLabel(comparison.date)}, for comparison (hollow, dashed)`;
  return [...items, { name, colorIndex: 7, mark: 'line' as const, isComparison: true }];
}

function buildTooltip(
  entry: DatasetEntry,
  quote: Quote | undefined,
  colorIndex: number,
  getSpread: GetSpread,
): TooltipContent {
  if (!quote) return { title: '', rows: [] };
  const createRow = (field: keyof Quote, name: string) => {
    const info = getField(entry, field);
    const text = `${formatFigure(getQuoteValue(quote, info), info)} ${getShortUnit(info)}`.trim();
    return { name, colorIndex, mark: 'point' as const, text };
  };
  return {
    title: `${quote.symbol}, ${formatDayLabel(quote.date)}`,
    rows: [
      createRow('ytm', 'Yield'),
      {
        ...{ name: 'Spread', colorIndex, mark: 'point' },
        text: formatWithUnit(getSpread(quote), SPREAD),
      },
      {
        ...{ name: 'Maturity', colorIndex, mark: 'point' },
        text: formatDayLabel(quote.maturityDate),
      },
      createRow('maturityYears', 'To maturity'),
      createRow('lastPrice', 'Last price'),
      createRow('bidPrice', 'Bid'),
      createRow('askPrice', 'Ask'),
      createRow('duration', 'Duration'),
    ],
  };
}

import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import type { ChartCurve } from '../charts/chart-data.ts';
import type { TooltipContent } from '../charts/chart-plot.tsx';
import { Legend } from '../charts/legend.tsx';
import { ScatterChart } from '../charts/scatter-chart.tsx';
import { Panel } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatNumber, formatWithUnit, getShortUnit } from '../formatting/numbers.ts';
import { navigate, urlFor } from '../routing/view-route.tsx';
import { SPREAD } from '../security/analytics.ts';
import {
  formatTypePlural,
  getField,
  getQuoteValue,
  hasYield,
} from '../security/quoted-security.ts';
import { createSpreads, type GetSpread } from './create-spreads.ts';
import { CurveFitDetails } from './curve-fit-details.tsx';
import {
  buildCurves,
  buildCurveTable,
  buildPoints,
  CURVE_RATES,
  type CurveRate,
  estimateYieldRange,
  type FilteredDay,
  getPointKey,
  RATE_LABELS,
} from './yield-curves.ts';

export interface MarketPanelProps {
  readonly entry: DatasetEntry;
  readonly day: FilteredDay;
  readonly comparison: FilteredDay | undefined;
  readonly exported: ExportMenuProps;
  /** The point that the chart and the table both show. */
  readonly pointedKey: string | undefined;
  readonly onPointKey: (key: string | undefined) => void;
}

const formatAxis = (value: number) => `${formatNumber(value, 1)} %`;
const TENOR_TICKS = [0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30].map((years) => {
  return { value: years, label: years < 1 ? `${years * 12}M` : `${years}Y` };
});

interface YieldCurvePanelProps extends MarketPanelProps {
  readonly rate: CurveRate;
  /** Fitted yields that a run will reach; undefined while nothing plays. */
  readonly playRates: readonly number[] | undefined;
  readonly chartRequests?: readonly ApiRequest[];
}

export function YieldCurvePanel(props: YieldCurvePanelProps) {
  const { entry, day, comparison, exported, rate } = props;
  const curveData = useMemo(() => buildCurveData(props), [entry, day, comparison, rate]);
  const { curves, missingCount } = curveData;
  const title = `Yield curve, ${formatDayLabel(day.date)}`;
  const chartTitle = comparison ? `${title}, and ${formatDayLabel(comparison.date)}` : title;
  return (
    <Panel
      title={title}
      class="curve"
      exported={{
        ...exported,
        chart: { title: chartTitle, frameTitle: 'Yield curve' },
        chartRequests: props.chartRequests,
        getTable: () => buildCurveTable(curveData, rate, day.date, comparison?.date),
      }}
    >
      <div class={rate === 'yield' ? undefined : 'faint-points'}>
        <div class="curve-bar row">
          <SegmentedControl label="Rate" options={CURVE_RATES} value={rate} param="rate" />
          <Legend items={curveData.legend} />
        </div>
        <YieldChart {...props} curveData={curveData} />
      </div>
      {missingCount > 0 && (
        <p class="help">
          {missingCount === 1
            ? '1 quote has no yield and is not drawn.'
            : `${missingCount} quotes have no yield and are not drawn.`}
        </p>
      )}
      {rate !== 'yield' && curves.length === 0 && (
        <p class="help">
          There is no {RATE_LABELS[rate].toLowerCase()} of this day: it needs the terms of more
          securities.
        </p>
      )}
      <p class="help touch-hint">
        The first touch of a point shows its figures, the second opens its security.
      </p>
      <CurveFitDetails curves={day.curves} />
    </Panel>
  );
}

type CurveData = ReturnType<typeof buildCurveData>;

function YieldChart(props: YieldCurvePanelProps & { curveData: CurveData }) {
  const { entry, day, rate, playRates, pointedKey, onPointKey, curveData } = props;
  const { curves, points, quotesByKey, getSpread } = curveData;
  const heldRange = useMemo(() => playRates && estimateYieldRange(playRates, day), [playRates]);
  return (
    <ScatterChart
      label={`Yields of ${formatDayLabel(day.date)} by years to maturity`}
      {...{ points, curves, formatAxis, heldRange }}
      ticks={TENOR_TICKS}
      xTitle="Time to maturity"
      yTitle={rate === 'yield' ? 'Yield to maturity' : `${RATE_LABELS[rate]}; points: yields`}
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
  );
}

function buildCurveData({ entry, day, comparison, rate }: YieldCurvePanelProps) {
  const types = getField(entry, 'type').values ?? [];
  const typeColors = Object.fromEntries(types.map((type, index) => [type, (index % 8) + 1]));
  const days = comparison ? [comparison, day] : [day];
  const quotes = days.flatMap(({ filteredQuotes }) => filteredQuotes);
  const spreadsByDate = new Map(days.map((each) => [each.date, createSpreads(each)]));
  const curves = days.flatMap((each) => buildCurves(each, each === comparison, rate));
  return {
    curves,
    legend: buildLegend(typeColors, day, curves, comparison),
    missingCount: day.filteredQuotes.filter((quote) => !hasYield(quote)).length,
    points: days.flatMap((each) => buildPoints(each, typeColors, each === comparison)),
    quotesByKey: new Map(quotes.map((quote) => [getPointKey(quote), quote])),
    getSpread: (quote: Quote) => spreadsByDate.get(quote.date)?.(quote),
  };
}

/** The lines have their names at their ends. */
function buildLegend(
  typeColors: Readonly<Record<string, number>>,
  { filteredQuotes }: FilteredDay,
  curves: readonly ChartCurve[],
  comparison: FilteredDay | undefined,
) {
  const presentTypes = new Set<string>(filteredQuotes.map(({ type }) => type));
  const types = Object.entries(typeColors).filter(([type]) => presentTypes.has(type));
  const items = types.map(([type, colorIndex]) => ({
    ...{ name: formatTypePlural(type), colorIndex },
    mark: 'point' as const,
  }));
  if (!comparison || curves.some(({ isComparison }) => isComparison)) return items;
  const name = formatDayLabel(comparison.date);
  return [...items, { name, colorIndex: 7, mark: 'point' as const, isComparison: true }];
}

function buildTooltip(
  entry: DatasetEntry,
  quote: Quote | undefined,
  colorIndex: number,
  getSpread: GetSpread,
): TooltipContent {
  if (!quote) return { title: '', rows: [] };
  const createRow = (name: string, text: string) => {
    return { name, colorIndex, mark: 'point' as const, text };
  };
  const createFieldRow = (name: string, field: keyof Quote) => {
    const info = getField(entry, field);
    const figure = formatFigure(getQuoteValue(quote, info), info);
    return createRow(name, `${figure} ${getShortUnit(info)}`.trim());
  };
  return {
    title: `${quote.symbol}, ${formatDayLabel(quote.date)}`,
    rows: [
      createFieldRow('Yield', 'ytm'),
      createRow('Spread', formatWithUnit(getSpread(quote), SPREAD)),
      createRow('Maturity', formatDayLabel(quote.maturityDate)),
      createFieldRow('To maturity', 'maturityYears'),
      createFieldRow('Last price', 'lastPrice'),
      createFieldRow('Bid', 'bidPrice'),
      createFieldRow('Ask', 'askPrice'),
      createFieldRow('Duration', 'duration'),
    ],
  };
}

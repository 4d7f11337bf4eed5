import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import type { TooltipContent } from '../charts/chart-plot.tsx';
import { Legend } from '../charts/legend.tsx';
import { ScatterChart } from '../charts/scatter-chart.tsx';
import { MAX_DRAWN_POINTS } from '../charts/scatter-drawing.tsx';
import { useChartTables } from '../charts/use-chart-tables.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import {
  formatDays,
  formatQuantity,
  formatTicks,
  formatWithUnit,
  getShortUnit,
} from '../formatting/numbers.ts';
import { navigate, urlFor } from '../routing/view-route.tsx';
import { SPREAD } from '../security/analytics.ts';
import { formatTypePlural, getField, getQuoteValue, hasYield } from '../security/quote-fields.ts';
import { createSpreads, type GetSpread } from './create-spreads.ts';
import {
  buildCurves,
  buildPoints,
  CURVE_RATE_TITLES,
  describeRate,
  type FilteredDay,
  type QuotePoint,
  type ShownRate,
} from './yield-curves.ts';

export interface MarketPanelProps {
  readonly entry: DatasetEntry;
  readonly day: FilteredDay;
  readonly exported: ExportMenuProps;
}

const formatAxis = (ticks: readonly number[]) => formatTicks(ticks).map((text) => `${text} %`);
const TENOR_TICKS = [1 / 12, 0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30].map((years) => {
  return { value: years, label: years < 1 ? `${Math.round(years * 12)}M` : `${years}Y` };
});

interface YieldCurvePanelProps extends MarketPanelProps {
  /** Days to compare with, at most two. */
  readonly compared: readonly FilteredDay[];
  readonly rate: ShownRate;
  readonly isPlaying?: boolean;
  readonly chartRequests?: readonly ApiRequest[];
}

export function YieldCurvePanel(props: YieldCurvePanelProps) {
  const { entry, day, compared, exported, rate } = props;
  const curveData = useMemo(() => buildCurveData(props), [entry, day, compared, rate]);
  const { curves, missingCount } = curveData;
  const title = `Yield curve, ${formatDayLabel(day.date)}`;
  const dates = compared.map(({ date }) => formatDayLabel(date));
  const chartTitle = [title, ...dates].join(', and ');
  return (
    <ExportPanel
      title={title}
      class="curve"
      exported={{
        ...exported,
        chart: {
          title: rate === 'yield' ? chartTitle : `${chartTitle}: ${describeRate(rate)}`,
          frameTitle: 'Yield curve',
        },
        chartRequests: props.chartRequests,
      }}
    >
      <div class={rate === 'yield' ? undefined : 'faint-points'}>
        <Legend items={curveData.legend} />
        <YieldChart {...props} curveData={curveData} />
      </div>
      <div class="toolbar rates">
        <SegmentedControl label="Rate" options={CURVE_RATE_TITLES} value={rate} param="rate" />
      </div>
      {curveData.points.length > MAX_DRAWN_POINTS && (
        <p class="help">The stronger a mark, the more quotes it stands for.</p>
      )}
      {day.filteredQuotes.length === 0 && (
        <p class="help" role="status">
          No quote of this day matches the filters: the lines are those of all quotes.
        </p>
      )}
      {missingCount > 0 && (
        <p class="help">Not drawn, without a yield: {formatQuantity(missingCount, 'quote')}.</p>
      )}
      {rate !== 'yield' && curves.length === 0 && (
        <p class="help">
          There is no {describeRate(rate).toLowerCase()} of this day: it needs the terms of more
          securities.
        </p>
      )}
    </ExportPanel>
  );
}

type CurveData = ReturnType<typeof buildCurveData>;

function YieldChart(props: YieldCurvePanelProps & { curveData: CurveData }) {
  const { entry, day, rate, isPlaying, curveData } = props;
  const { curves, points, getSpread } = curveData;
  useChartTables(() =>
    curves.map(({ name, comparison, points: samples }) => ({
      keys: samples.map(([years]) => years),
      columns: [
        {
          name: `${name}, ${(props.compared[comparison ?? -1] ?? day).date}`,
          unit: '%',
          values: samples.map(([, percent]) => percent),
        },
      ],
    })),
  );
  return (
    <ScatterChart
      label={`Yields of ${formatDayLabel(day.date)} by years to maturity`}
      points={points}
      curves={curves}
      formatAxis={formatAxis}
      hasGrowingAxes={isPlaying}
      ticks={TENOR_TICKS}
      xTitle="Time to maturity"
      yTitle={rate === 'yield' ? 'Yield to maturity' : `${describeRate(rate)}; points: yields`}
      getTooltip={(point) => buildTooltip(entry, point, getSpread)}
      onSelect={({ quote }) => navigate(urlFor('security', { symbol: quote.symbol }))}
    />
  );
}

function buildCurveData({ entry, day, compared, rate }: YieldCurvePanelProps) {
  const types = getField(entry, 'type').values ?? [];
  const typeColors = Object.fromEntries(types.map((type, index) => [type, (index % 8) + 1]));
  // The points of three days would hide each other.
  const days = compared.length === 1 ? [...compared, day] : [day];
  const spreadsByDate = new Map(days.map((each) => [each.date, createSpreads(each)]));
  const curves = [
    // The names of three lines each would overlap other lines.
    ...compared
      .flatMap((each, index) => buildCurves(each, index, rate))
      .map((curve) => (compared.length === 1 ? curve : { ...curve, label: '' })),
    ...buildCurves(day, undefined, rate),
  ];
  return {
    curves,
    legend: buildLegend(typeColors, day, compared),
    missingCount: day.filteredQuotes.filter((quote) => !hasYield(quote)).length,
    points: days.flatMap((each) => buildPoints(each, typeColors, each !== day)),
    getSpread: (quote: Quote) => spreadsByDate.get(quote.date)?.(quote),
  };
}

/** Types with their points, and compared days: one with hollow points, two with lines. */
function buildLegend(
  typeColors: Readonly<Record<string, number>>,
  { filteredQuotes }: FilteredDay,
  compared: readonly FilteredDay[],
) {
  const presentTypes = new Set<string>(filteredQuotes.map(({ type }) => type));
  const types = Object.entries(typeColors).filter(([type]) => presentTypes.has(type));
  return [
    ...types.map(([type, colorIndex]) => ({
      name: formatTypePlural(type),
      colorIndex,
      mark: 'point' as const,
    })),
    ...compared.map(({ date }, comparison) => ({
      name: formatDayLabel(date),
      colorIndex: 9,
      comparison,
      mark: compared.length === 1 && types.length > 0 ? ('point' as const) : ('line' as const),
    })),
  ];
}

function buildTooltip(
  entry: DatasetEntry,
  { quote, colorIndex }: QuotePoint,
  getSpread: GetSpread,
): TooltipContent {
  const createRow = (name: string, text: string) => {
    return { name, colorIndex, mark: 'point' as const, text };
  };
  const createFieldRow = (name: string, field: keyof Quote) => {
    const info = getField(entry, field);
    const value = getQuoteValue(quote, info);
    const shortened = { ...info, unit: getShortUnit(info) };
    return createRow(name, formatDays(value, info) ?? formatWithUnit(value, shortened));
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

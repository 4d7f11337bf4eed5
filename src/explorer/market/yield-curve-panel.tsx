import { useMemo, useRef } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { type DatasetEntry, findField } from '../api/types.ts';
import type { ChartCurve, ChartPoint } from '../charts/chart-points.ts';
import { Legend } from '../charts/legend.tsx';
import { ScatterChart } from '../charts/scatter-chart.tsx';
import type { TooltipContent } from '../charts/tooltip.tsx';
import { Panel } from '../components/panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatNumber, getShortUnit } from '../formatting/numbers.ts';
import { navigate, urlFor } from '../routing/view-route.ts';
import { formatTypePlural, getField, getQuoteValue, hasYield } from '../security/quote.ts';
import { type ComparisonDay, createDayRequest } from './use-market-day.ts';
import { buildCurves, buildPoints, TENORS } from './yield-curves.ts';

interface YieldCurvePanelProps {
  readonly entry: DatasetEntry;
  readonly day: string;
  /** All quotes of the day, and those of them that are wanted. */
  readonly quotes: readonly Quote[];
  readonly wanted: readonly Quote[];
  readonly before: ComparisonDay | undefined;
  /** The type that is wanted, where only one is, and what an answer to that holds. */
  readonly type: string | undefined;
  readonly about: string;
}

const formatAxis = (value: number) => `${formatNumber(value, 1)} %`;
const TENOR_TICKS = TENORS.map(({ years, tick }) => ({ at: years, text: tick }));

/** Yields against maturities, with the lines through them. */
export function YieldCurvePanel(props: YieldCurvePanelProps) {
  const { entry, day, quotes, wanted, before, type, about } = props;
  const picture = useRef<HTMLDivElement>(null);
  const tones = useMemo(() => assignTypeColors(entry), [entry]);
  const curves = useMemo(
    () => [
      ...buildCurves(before?.quotes ?? [], before?.filteredQuotes ?? [], true),
      ...buildCurves(quotes, wanted, false),
    ],
    [quotes, wanted, before],
  );
  const points = useMemo(
    () => [
      ...buildPoints(before?.filteredQuotes ?? [], tones, true),
      ...buildPoints(wanted, tones, false),
    ],
    [wanted, before, tones],
  );
  const byKey = useMemo(() => {
    const all = [...wanted, ...(before?.filteredQuotes ?? [])];
    return new Map(all.map((quote) => [`${quote.date} ${quote.symbol}`, quote]));
  }, [wanted, before]);
  const title = `Yield curve, ${formatDayLabel(day)}`;
  const without = wanted.filter((quote) => !hasYield(quote)).length;
  return (
    <Panel
      title={title}
      class="curve"
      tools={
        <ExportMenu
          request={createDayRequest(entry.path, day, type)}
          description={about}
          fileName={`quotes-${day}`}
          chart={{
            ref: picture,
            title: before ? `${title}, and ${formatDayLabel(before.date)}` : title,
          }}
        />
      }
      lead={
        <>
          {describeAxes(entry)} Lines are fitted through all government and all corporate quotes
          (Nelson–Siegel; what lies far off counts less). Choose a point to open its security
          <span class="touch-hint">: a first touch reads it off, a second opens it</span>.
        </>
      }
    >
      <div ref={picture}>
        <Legend items={buildLegend(tones, wanted, curves, before?.date)} />
        <ScatterChart
          label={`Yields of ${formatDayLabel(day)} by years to maturity`}
          points={points}
          curves={curves}
          ticks={TENOR_TICKS}
          axis={formatAxis}
          getTooltip={({ key, colorIndex }) => buildTooltip(entry, byKey.get(key), colorIndex)}
          onSelect={({ key }: ChartPoint) => {
            const symbol = byKey.get(key)?.symbol;
            if (symbol) navigate(urlFor('security', { symbol }));
          }}
        />
      </div>
      {without > 0 && (
        <p class="help">
          {without} {without === 1 ? 'quote has' : 'quotes have'} no yield, and{' '}
          {without === 1 ? 'is' : 'are'} not drawn.
        </p>
      )}
    </Panel>
  );
}

/** What the catalogue says is drawn against what. */
function describeAxes({ chart, fields }: DatasetEntry): string {
  const [along, height] = chart.fields.map((name) => fields.find((field) => field.name === name));
  return `${height?.meaning} against ${along?.meaning.toLowerCase()}.`;
}

/** Each type of the catalogue has a colour of its own. */
function assignTypeColors(entry: DatasetEntry): Readonly<Record<string, number>> {
  const types = findField(entry, 'type')?.values ?? [];
  return Object.fromEntries(types.map((type, index) => [type, (index % 8) + 1]));
}

function buildLegend(
  tones: Readonly<Record<string, number>>,
  quotes: readonly Quote[],
  curves: readonly ChartCurve[],
  before: string | undefined,
) {
  const there = new Set<string>(quotes.map(({ type }) => type));
  const types = Object.entries(tones).filter(([type]) => there.has(type));
  return [
    ...types.map(([type, colorIndex]) => ({ name: formatTypePlural(type), colorIndex })),
    ...curves.flatMap(({ name, colorIndex, isComparison }) =>
      isComparison ? [] : { name: `${name}, fitted`, colorIndex },
    ),
    ...(before === undefined
      ? []
      : [
          {
            name: `${formatDayLabel(before)}, hollow and dashed`,
            colorIndex: 7,
            isComparison: true,
          },
        ]),
  ];
}

function buildTooltip(
  entry: DatasetEntry,
  quote: Quote | undefined,
  colorIndex: number,
): TooltipContent {
  if (!quote) return { title: '', rows: [] };
  const textOf = (name: keyof Quote) => {
    const field = getField(entry, name);
    return `${formatFigure(getQuoteValue(quote, field), field)} ${getShortUnit(field)}`.trim();
  };
  const row = (name: keyof Quote, words: string) => ({
    name: words,
    colorIndex,
    text: textOf(name),
  });
  return {
    title: `${quote.symbol}, ${formatDayLabel(quote.date)}`,
    rows: [
      row('ytm', 'Yield'),
      { name: 'Maturity', colorIndex, text: formatDayLabel(quote.maturityDate) },
      row('maturityYears', 'To maturity'),
      row('lastPrice', 'Last price'),
      row('bidPrice', 'Bid'),
      row('askPrice', 'Ask'),
      row('duration', 'Duration'),
    ],
  };
}

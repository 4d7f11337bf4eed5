import { INSTRUMENT_TYPES, type Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import {
  buildFigure,
  escapeText,
  type Figure,
  getColor,
  type PlotlyObject,
  type Theme,
  type Trace,
} from './figure.ts';

const PERCENT_AXIS = { title: { text: 'Yield' }, ticksuffix: ' %' };
const YEARS_AXIS = { title: { text: 'Years to maturity' }, rangemode: 'tozero' };

/** A price or yield of 0 means that there is none. */
function toKnown(value: number): number | null {
  return value === 0 ? null : value;
}

/** The quoted yields of a day against years to maturity, a colour for each type of instrument. */
export function buildMarketFigure(records: readonly AnyRecord[], theme: Theme): Figure {
  const quotes = (records as unknown as readonly Quote[]).filter(
    ({ ytm }) => toKnown(ytm) !== null,
  );
  const traces = INSTRUMENT_TYPES.flatMap((type, index): Trace[] => {
    const points = quotes.filter((quote) => quote.type === type);
    if (points.length === 0) return [];
    return [
      {
        type: 'scatter',
        mode: 'markers',
        name: type,
        x: points.map(({ maturityYears }) => maturityYears),
        y: points.map(({ ytm }) => ytm),
        text: points.map(({ symbol, maturityDate }) => `${escapeText(symbol)}, ${maturityDate}`),
        hovertemplate: '%{text}: %{y:.3f}',
        marker: { color: getColor(theme, index), size: 7 },
      },
    ];
  });
  return buildFigure(theme, traces, {
    hovermode: 'closest',
    xaxis: YEARS_AXIS,
    yaxis: PERCENT_AXIS,
  });
}

/** Price above and yield below, through time; a colour for each security. */
export function buildSecurityFigure(records: readonly AnyRecord[], theme: Theme): Figure {
  const bySymbol = Map.groupBy(records.toReversed() as unknown as Quote[], ({ symbol }) => symbol);
  const traces = [...bySymbol].flatMap(([symbol, quotes], index) => {
    const draw = (values: readonly (number | null)[]): Trace => ({
      type: 'scatter',
      // A value between two gaps has no line.
      mode: quotes.length === 1 || values.includes(null) ? 'lines+markers' : 'lines',
      name: escapeText(symbol),
      legendgroup: symbol,
      x: quotes.map(({ date }) => date),
      y: values,
      line: { color: getColor(theme, index), width: 2 },
      marker: { size: 4 },
    });
    const prices = draw(quotes.map(({ lastPrice }) => toKnown(lastPrice)));
    const yields = draw(quotes.map(({ ytm }) => toKnown(ytm)));
    return [
      { ...prices, yaxis: 'y', hovertemplate: '%{y:.4f}' },
      { ...yields, yaxis: 'y2', showlegend: false, hovertemplate: '%{y:.3f} %' },
    ];
  });
  return buildFigure(theme, traces, {
    xaxis: { ...buildDateAxis(records as unknown as readonly Quote[]), anchor: 'y2' },
    yaxis: { domain: [0.53, 1], title: { text: 'Price' } },
    yaxis2: { ...PERCENT_AXIS, domain: [0, 0.47] },
  });
}

/** Plotly would divide a few days into hours. */
const MAX_TICKED_DATES = 8;

function buildDateAxis(quotes: readonly Quote[]): PlotlyObject {
  const dates = [...new Set(quotes.map(({ date }) => date))];
  const ticks =
    dates.length <= MAX_TICKED_DATES ? { tickvals: dates, tickformat: '%-d %b %Y' } : {};
  return { type: 'date', showgrid: false, ...ticks };
}

const RATES = { yield: 'Fitted yield', zero: 'Zero', par: 'Par', forward: 'Forward' } as const;

interface Curve {
  readonly date: string;
  readonly points: readonly (Readonly<Record<keyof typeof RATES, number | null>> & {
    readonly years: number;
  })[];
}

/** The rates of a curve; of several dates the fitted yields, a line for each date. */
export function buildCurveFigure(records: readonly AnyRecord[], theme: Theme): Figure {
  const curves = records as unknown as readonly Curve[];
  const [curve] = curves;
  const lines =
    curves.length === 1 && curve
      ? Object.entries(RATES).map(([rate, name]) => ({
          name,
          curve,
          rate: rate as keyof typeof RATES,
        }))
      : curves.map((dated) => ({ name: dated.date, curve: dated, rate: 'yield' as const }));
  const traces = lines.flatMap(({ name, curve: { points }, rate }, index): Trace[] => {
    const fitted = points.filter((point) => point[rate] !== null);
    if (fitted.length === 0) return [];
    return [
      {
        type: 'scatter',
        mode: 'lines',
        name,
        x: fitted.map(({ years }) => years),
        y: fitted.map((point) => point[rate]),
        hovertemplate: '%{y:.3f}',
        line: { color: getColor(theme, index), width: 2, ...(rate !== 'yield' && { dash: 'dot' }) },
      },
    ];
  });
  return buildFigure(theme, traces, {
    xaxis: YEARS_AXIS,
    yaxis: { ...PERCENT_AXIS, title: { text: 'Rate' } },
  });
}

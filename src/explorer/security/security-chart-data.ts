import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { ListedChart } from '../charts/chart-data.ts';
import { buildCorrectionNotes, type CorrectionList } from '../corrections/revision-corrections.ts';
import { formatInlineUnit, getUnit } from '../formatting/numbers.ts';
import { SPREAD, type SpreadsByDay } from './analytics.ts';
import { getField, getQuoteValue } from './quote-fields.ts';

interface SecurityChartSpec {
  readonly name: keyof Quote | 'spread';
  readonly colorIndex: number;
  readonly height: number;
  readonly layout?: 'bars';
  readonly band?: readonly [low: keyof Quote, high: keyof Quote];
}

const SECURITY_CHART_SPECS: readonly SecurityChartSpec[] = [
  { name: 'lastPrice', colorIndex: 1, height: 300, band: ['bidPrice', 'askPrice'] },
  { name: 'ytm', colorIndex: 2, height: 210 },
  { name: 'spread', colorIndex: 4, height: 190 },
  { name: 'volume', colorIndex: 7, height: 150, layout: 'bars' },
  { name: 'duration', colorIndex: 3, height: 170 },
];

export interface SecurityHistory {
  readonly quotes: readonly Quote[];
  /** Undefined while they are loading. */
  readonly spreads: SpreadsByDay | undefined;
  readonly corrections: CorrectionList;
}

/** The charts of a security, from quotes given oldest first; missing values are gaps. */
export function buildSecurityCharts(
  entry: DatasetEntry,
  { quotes, spreads, corrections }: SecurityHistory,
): ListedChart[] {
  const getValues = (name: SecurityChartSpec['name']) => {
    if (name === 'spread') return quotes.map(({ date }) => spreads?.get(date));
    const field = getField(entry, name);
    return quotes.map((quote) => getQuoteValue(quote, field) as number | undefined);
  };
  const days = quotes.map(({ date }) => date);
  return SECURITY_CHART_SPECS.map(({ name, colorIndex, height, layout, band }, index) => {
    const { meaning, ...field } =
      name === 'spread' ? { ...SPREAD, meaning: SPREAD.title } : getField(entry, name);
    // The first chart also notes the corrections of figures that are not drawn.
    const pointNotes = buildCorrectionNotes(corrections, days, (key) => {
      const own = SECURITY_CHART_SPECS.findIndex((spec) => spec.name === key);
      return Math.max(0, own) === index;
    });
    const line = { name: meaning, colorIndex, values: getValues(name) };
    return {
      heading: meaning,
      unit: getUnit(field),
      height,
      pointNotes,
      lines: [{ ...line, marks: new Set(pointNotes.keys()) }],
      layout: layout ?? 'lines',
      band: band && { name: 'Bid to ask', low: getValues(band[0]), high: getValues(band[1]) },
      isLoading: name === 'spread' && spreads === undefined,
      format: (value) => formatInlineUnit(value, field),
    };
  });
}

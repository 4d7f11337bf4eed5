import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import {
  buildCorrectionNotes,
  type CorrectionList,
  findPreviousFigures,
} from '../corrections/revision-corrections.ts';
import { SPREAD, type SpreadsByDay } from './analytics.ts';
import { getField, getQuoteValue } from './quoted-security.ts';

type QuoteValues = readonly (number | undefined)[];

export type SecurityChartData = ReturnType<typeof buildSecurityCharts>[number];

const SPREAD_FIELD = {
  ...SPREAD,
  name: 'spread',
  meaning: SPREAD.title,
  values: null,
  fields: null,
} as const;

interface SecurityChartSpec {
  readonly name: keyof Quote | 'spread';
  readonly colorIndex: number;
  readonly height: number;
  readonly layout?: 'bars';
  readonly band?: readonly [low: keyof Quote, high: keyof Quote];
  /** Other fields whose corrections this chart notes. */
  readonly others?: readonly (keyof Quote)[];
}

const SECURITY_CHART_SPECS: readonly SecurityChartSpec[] = [
  { name: 'lastPrice', colorIndex: 1, height: 300, band: ['bidPrice', 'askPrice'] },
  { name: 'ytm', colorIndex: 2, height: 210 },
  { name: 'spread', colorIndex: 4, height: 190 },
  {
    name: 'volume',
    colorIndex: 7,
    height: 150,
    layout: 'bars',
    others: ['bidVolume', 'askVolume'],
  },
  { name: 'duration', colorIndex: 3, height: 170, others: ['maturityYears'] },
];

export interface SecurityHistory {
  readonly quotes: readonly Quote[];
  /** Undefined while they are loading. */
  readonly spreads: SpreadsByDay | undefined;
  readonly corrections: CorrectionList;
}

/** The charts of a security, from quotes that are oldest first; a missing value is a gap. */
export function buildSecurityCharts(
  entry: DatasetEntry,
  { quotes, spreads, corrections }: SecurityHistory,
) {
  const getValues = (name: SecurityChartSpec['name']): QuoteValues => {
    if (name === 'spread') return quotes.map(({ date }) => spreads?.get(date));
    const field = getField(entry, name);
    return quotes.map((quote) => getQuoteValue(quote, field) as number | undefined);
  };
  const days = quotes.map(({ date }) => date);
  return SECURITY_CHART_SPECS.map((spec, index) => {
    const { name, colorIndex, height, layout, band } = spec;
    return {
      field: name === 'spread' ? SPREAD_FIELD : getField(entry, name),
      colorIndex,
      height,
      layout: layout ?? ('lines' as const),
      values: getValues(name),
      isLoading: name === 'spread' && spreads === undefined,
      band: band && { name: 'Bid to ask', low: getValues(band[0]), high: getValues(band[1]) },
      ghosts: findPreviousFigures(corrections, days, name),
      pointNotes: buildCorrectionNotes(corrections, days, {
        chartKey: name,
        isIncluded: (key) => findChartIndex(key) === index,
      }),
    };
  });
}

/** The chart that notes corrections of a field: the first one where no other does. */
function findChartIndex(field: string): number {
  const index = SECURITY_CHART_SPECS.findIndex(({ name, others = [] }) =>
    [name, ...others].some((key) => key === field),
  );
  return Math.max(0, index);
}

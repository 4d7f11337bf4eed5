import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { buildCorrectionNotes } from '../corrections/correction-notes.ts';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { getField, getQuoteValue } from './quote.ts';

type QuoteValues = readonly (number | undefined)[];

/** A chart of a security: one figure of its quotes, and what else belongs to it. */
export interface SecurityChartData {
  readonly field: FieldInfo;
  readonly colorIndex: number;
  readonly layout: 'lines' | 'bars';
  readonly height: number;
  readonly values: QuoteValues;
  readonly band:
    | { readonly name: string; readonly low: QuoteValues; readonly high: QuoteValues }
    | undefined;
  /** By place of the point, what is told of it. */
  readonly marks: ReadonlyMap<number, string>;
}

interface SecurityChartSpec {
  readonly name: keyof Quote;
  readonly colorIndex: number;
  readonly height: number;
  readonly layout?: 'bars';
  readonly band?: readonly [low: keyof Quote, high: keyof Quote];
  /** Other fields whose corrections are told here. */
  readonly otherFields?: readonly (keyof Quote)[];
}

const SECURITY_CHART_SPECS: readonly SecurityChartSpec[] = [
  { name: 'lastPrice', colorIndex: 1, height: 300, band: ['bidPrice', 'askPrice'] },
  { name: 'ytm', colorIndex: 2, height: 210 },
  {
    name: 'volume',
    colorIndex: 7,
    height: 150,
    layout: 'bars',
    otherFields: ['bidVolume', 'askVolume'],
  },
  { name: 'duration', colorIndex: 3, height: 170, otherFields: ['maturityYears'] },
];

export const BID_ASK_LABEL = 'Bid to ask';

/** The charts of quotes, which are oldest first: where there is no figure there is a gap. */
export function buildSecurityCharts(
  quotes: readonly Quote[],
  corrections: readonly RevisionCorrections[],
  entry: DatasetEntry,
): SecurityChartData[] {
  const valuesOf = (name: keyof Quote): QuoteValues => {
    const field = getField(entry, name);
    return quotes.map((quote) => getQuoteValue(quote, field) as number | undefined);
  };
  const days = quotes.map(({ date }) => date);
  return SECURITY_CHART_SPECS.map(
    ({ name, colorIndex, height, layout, band }, chart): SecurityChartData => {
      const isReported = (key: string) => findChartIndex(key) === chart;
      return {
        field: getField(entry, name),
        colorIndex,
        height,
        layout: layout ?? 'lines',
        values: valuesOf(name),
        band: band && { name: BID_ASK_LABEL, low: valuesOf(band[0]), high: valuesOf(band[1]) },
        marks: buildCorrectionNotes(corrections, days, { chartKey: name, isIncluded: isReported }),
      };
    },
  );
}

/** The chart that tells of corrections of a field: the first one where no other does. */
function findChartIndex(field: string): number {
  const found = SECURITY_CHART_SPECS.findIndex(({ name, otherFields = [] }) =>
    [name, ...otherFields].some((each) => each === field),
  );
  return Math.max(0, found);
}

import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { buildCorrectionNotes } from '../corrections/correction-notes.ts';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { getField, getQuoteValue, type Quote } from './quote.ts';

type QuoteValues = readonly (number | undefined)[];

/** A chart of a security: one figure of its quotes, and what else belongs to it. */
export interface SecurityChartData {
  readonly field: FieldInfo;
  readonly tone: number;
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
  readonly tone: number;
  readonly height: number;
  readonly layout?: 'bars';
  readonly band?: readonly [low: keyof Quote, high: keyof Quote];
  /** Other fields whose corrections are told here. */
  readonly also?: readonly (keyof Quote)[];
}

const SECURITY_CHART_SPECS: readonly SecurityChartSpec[] = [
  { name: 'lastPrice', tone: 1, height: 300, band: ['bidPrice', 'askPrice'] },
  { name: 'ytm', tone: 2, height: 210 },
  { name: 'volume', tone: 7, height: 150, layout: 'bars', also: ['bidVolume', 'askVolume'] },
  { name: 'duration', tone: 3, height: 170, also: ['maturityYears'] },
];

export const BID_ASK_LABEL = 'Bid to ask';

/** The charts of quotes, which are oldest first: where there is no figure there is a gap. */
export function buildSecurityCharts(
  quotes: readonly Quote[],
  amendments: readonly RevisionCorrections[],
  entry: DatasetEntry,
): SecurityChartData[] {
  const valuesOf = (name: keyof Quote): QuoteValues => {
    const field = getField(entry, name);
    return quotes.map((quote) => getQuoteValue(quote, field) as number | undefined);
  };
  const days = quotes.map(({ date }) => date);
  return SECURITY_CHART_SPECS.map(
    ({ name, tone, height, layout, band }, chart): SecurityChartData => {
      const isTold = (key: string) => findChartIndex(key) === chart;
      return {
        field: getField(entry, name),
        tone,
        height,
        layout: layout ?? 'lines',
        values: valuesOf(name),
        band: band && { name: BID_ASK_LABEL, low: valuesOf(band[0]), high: valuesOf(band[1]) },
        marks: buildCorrectionNotes(amendments, days, { own: name, isTold }),
      };
    },
  );
}

/** The chart that tells of corrections of a field: the first one where no other does. */
function findChartIndex(field: string): number {
  const found = SECURITY_CHART_SPECS.findIndex(({ name, also = [] }) =>
    [name, ...also].some((each) => each === field),
  );
  return Math.max(0, found);
}

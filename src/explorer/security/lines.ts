import type { Amendment } from '../differences/amendments.ts';
import { storiesOf } from '../differences/stories.ts';
import { figureIn, knownField, type Quote } from '../quotes/quote.ts';
import type { Entry, FieldEntry } from '../service/catalogue.ts';

type Values = readonly (number | undefined)[];

/** A chart of a security: one figure of its quotes, and what else belongs to it. */
export interface Chart {
  readonly field: FieldEntry;
  readonly tone: number;
  readonly layout: 'lines' | 'bars';
  readonly height: number;
  readonly values: Values;
  readonly band: { readonly name: string; readonly low: Values; readonly high: Values } | undefined;
  /** By place of the point, what is told of it. */
  readonly marks: ReadonlyMap<number, string>;
}

interface Plan {
  readonly name: keyof Quote;
  readonly tone: number;
  readonly height: number;
  readonly layout?: 'bars';
  readonly band?: readonly [low: keyof Quote, high: keyof Quote];
  /** Other fields whose corrections are told here. */
  readonly also?: readonly (keyof Quote)[];
}

const PLANS: readonly Plan[] = [
  { name: 'lastPrice', tone: 1, height: 300, band: ['bidPrice', 'askPrice'] },
  { name: 'ytm', tone: 2, height: 210 },
  { name: 'volume', tone: 7, height: 150, layout: 'bars', also: ['bidVolume', 'askVolume'] },
  { name: 'duration', tone: 3, height: 170, also: ['maturityYears'] },
];

export const BAND = 'Bid to ask';

/** The charts of quotes, which are oldest first: where there is no figure there is a gap. */
export function chartsOf(
  quotes: readonly Quote[],
  amendments: readonly Amendment[],
  entry: Entry,
): Chart[] {
  const valuesOf = (name: keyof Quote): Values => {
    const field = knownField(entry, name);
    return quotes.map((quote) => figureIn(quote, field) as number | undefined);
  };
  const days = quotes.map(({ date }) => date);
  return PLANS.map(({ name, tone, height, layout, band }, chart): Chart => {
    const isTold = (key: string) => chartOf(key) === chart;
    return {
      field: knownField(entry, name),
      tone,
      height,
      layout: layout ?? 'lines',
      values: valuesOf(name),
      band: band && { name: BAND, low: valuesOf(band[0]), high: valuesOf(band[1]) },
      marks: storiesOf(amendments, days, { own: name, isTold }),
    };
  });
}

/** The chart that tells of corrections of a field: the first one where no other does. */
function chartOf(field: string): number {
  const found = PLANS.findIndex(({ name, also = [] }) =>
    [name, ...also].some((each) => each === field),
  );
  return Math.max(0, found);
}

import { partsIn } from '../composition/figures-in.ts';
import { type Part, sumOf } from '../composition/part.ts';
import { type Timeline, timelineOf } from '../composition/timeline.ts';
import { unitOf } from '../figures/figures.ts';
import type { AnyRecord, Entry } from '../service/catalogue.ts';

/** A series as it is drawn. */
export interface Series extends Timeline {
  readonly kind: Kind;
  /** Everything that has figures, in the order of the fields. */
  readonly figures: readonly Part[];
  /** What is drawn of that. */
  readonly parts: readonly Part[];
  readonly whole: Whole | undefined;
}

/** What the parts make up. */
export interface Whole extends Part {
  /** Whether the page added it up itself, because the source gives no total. */
  readonly isSum: boolean;
}

export const KINDS = ['stacked', 'lines', 'shares', 'multiples'] as const;
export type Kind = (typeof KINDS)[number];

/** The series that the records of a dataset make. A kind that is not known is drawn as lines. */
export function seriesOf(
  entry: Pick<Entry, 'period' | 'fields' | 'chart'>,
  data: readonly AnyRecord[],
): Series {
  const timeline = timelineOf(entry, data);
  const figures = partsIn(entry, timeline);
  const { fields, total } = entry.chart;
  const drawn = fields.flatMap((name) => figures.filter(({ field }) => field === name));
  const wanted = KINDS.find((kind) => kind === entry.chart.kind);
  // What differs in unit cannot stand one upon the other.
  const isOdd = wanted === undefined || drawn.length === 0;
  const kind = isOdd || (wanted === 'stacked' && unitsOf(drawn).length > 1) ? 'lines' : wanted;
  const parts = isOdd ? figures : drawn;
  return { ...timeline, kind, figures, parts, whole: wholeOf(kind, parts, figures, total) };
}

/** The figure that tells most of a series: the whole, or the largest part where there is none. */
export function headlineOf({ parts, whole }: Series): Part | undefined {
  const bySize = parts.toSorted((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return whole ?? bySize[0];
}

/** What the headline is, in a few words. */
export function headlineWords({ whole, kind }: Series, { title }: Part): string {
  if (whole) return whole.isSum ? `${title}, computed here` : title;
  return kind === 'shares' ? `${title}, the largest share` : `${title}, the largest figure`;
}

/** The units of the parts, each once. */
export function unitsOf(parts: readonly Part[]): string[] {
  return [...new Set(parts.map(({ measure }) => unitOf(measure)))];
}

function wholeOf(
  kind: Kind,
  parts: readonly Part[],
  figures: readonly Part[],
  total: string | null,
): Whole | undefined {
  const stated = figures.find(({ field }) => field === total);
  if (stated) return { ...stated, isSum: false };
  const [first] = parts;
  if (kind !== 'stacked' || !first) return undefined;
  const { field, measure } = first;
  const sum = sumOf(parts, { key: SUM, title: 'Sum of the parts', field, measure });
  return { ...sum, isSum: true };
}

/** No field is called so. */
const SUM = '=';

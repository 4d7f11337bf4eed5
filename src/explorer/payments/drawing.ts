import { scaleLinear } from 'd3-scale';
import type { Layout, Line } from '../charts/layers.ts';
import { changesOf, changeUnit, percentWords } from '../composition/changes.ts';
import type { Part, Values } from '../composition/part.ts';
import { paletteOf, type Toned, WHOLE_TONE } from '../composition/tones.ts';
import type { Amendment } from '../differences/amendments.ts';
import { marksOf } from '../differences/stories.ts';
import { brief, figure, signed, unitOf } from '../figures/figures.ts';
import type { Mode } from './modes.ts';
import type { Series } from './series.ts';

/** A chart of a series: one of several where its figures do not fit upon one axis. */
export interface Drawing {
  readonly heading: string | undefined;
  readonly unit: string;
  /** The unit where it is read off once for all figures; empty where each is written with it. */
  readonly unitRead: string;
  readonly lines: readonly Line[];
  readonly layout: Layout;
  readonly between: readonly [number, number] | undefined;
  readonly also: readonly Pick<Line, 'name' | 'values'>[];
  readonly axis: (value: number) => string;
  readonly format: (value: number) => string;
}

export interface Wanted {
  readonly mode: Mode;
  /** Whether small charts have the same scale. */
  readonly isShared: boolean;
  readonly hidden: ReadonlySet<string>;
  readonly amendments: readonly Amendment[];
}

/** So few periods are clearer side by side than as an area. */
export const FEW_PERIODS = 16;

/** What can be hidden and shown, with its colours. */
export function shownParts(series: Series, mode: Mode) {
  const palette = paletteOf(series.parts, series.kind !== 'lines');
  const whole = series.whole && { ...series.whole, tone: WHOLE_TONE };
  const first = whole && mode === 'change' ? [whole] : [];
  return { ...palette, parts: [...first, ...palette.parts] };
}

/** The charts of a series. */
export function drawingsOf(series: Series, wanted: Wanted): Drawing[] {
  if (series.kind === 'multiples') return multiples(series, wanted);
  const { mode, hidden } = wanted;
  const parts = shownParts(series, mode).parts.filter(({ key }) => !hidden.has(key));
  const isStack = mode !== 'change' && series.kind !== 'lines';
  const few = series.places.length <= FEW_PERIODS;
  const layout = isStack ? (few ? 'columns' : 'stacked') : 'lines';
  const groups = Map.groupBy(parts, (part) => writingOf(part, mode).unit);
  return [...groups].map(([unit, those]) => ({
    heading: groups.size > 1 ? unit || 'Without a unit' : undefined,
    layout,
    between: isStack && unit === '%' ? hundred(series, mode) : undefined,
    also: isStack && mode === 'amounts' ? told(series.whole) : [],
    lines: those.map((part) => lineOf(part, series, wanted)),
    ...writingOf(those[0] as Part, mode),
  }));
}

/** A small chart for the whole, and one for each part. */
function multiples(series: Series, wanted: Wanted): Drawing[] {
  const { mode, isShared } = wanted;
  const whole = series.whole && mode !== 'share' ? [{ ...series.whole, tone: WHOLE_TONE }] : [];
  const parts: Toned[] = [...whole, ...series.parts.map((part) => ({ ...part, tone: 1 }))];
  const lines = parts.map((part) => lineOf(part, series, wanted));
  const few = series.places.length <= FEW_PERIODS;
  const area = few ? 'columns' : 'stacked';
  return parts.map((part, index) => ({
    heading: part.title,
    layout: mode === 'change' || !isShared ? 'lines' : area,
    between: isShared ? extentOf(lines) : undefined,
    also: [],
    lines: lines.slice(index, index + 1),
    ...writingOf(part, mode),
  }));
}

function lineOf(part: Toned, series: Series, { mode, amendments }: Wanted): Line {
  return {
    name: part.title,
    tone: part.tone,
    values: valuesOf(part, series, mode),
    marks: marksOf(mode === 'change' ? [] : amendments, series.labels, part.key),
  };
}

/** What is drawn of a part; shares are drawn in percent. */
function valuesOf(part: Part, { whole, perYear = 1 }: Series, mode: Mode): Values {
  if (mode === 'change') return changesOf(part, perYear);
  if (mode === 'share') {
    return part.values.map((value, index) => {
      const all = whole?.values[index];
      return value === undefined || !all ? undefined : (value / all) * 100;
    });
  }
  if (part.measure.kind !== 'share') return part.values;
  return part.values.map((value) => (value === undefined ? undefined : value * 100));
}

type Writing = Pick<Drawing, 'unit' | 'unitRead' | 'axis' | 'format'>;

function writingOf({ measure }: Part, mode: Mode): Writing {
  if (mode === 'change') {
    const unit = changeUnit(measure);
    return { unit, unitRead: '', axis: brief, format: (v) => `${signed(v, 1)} ${unit}` };
  }
  if (mode === 'share' || measure.kind === 'share') {
    return { unit: '%', unitRead: '', axis: brief, format: percentWords };
  }
  const unit = unitOf(measure);
  return { unit, unitRead: unit, axis: brief, format: (v) => figure(v, measure) };
}

function told(whole: Series['whole']): Drawing['also'] {
  return whole ? [{ name: whole.title, values: whole.values }] : [];
}

/** To 100 %, and further where the parts go further. */
function hundred(series: Series, mode: Mode): readonly [number, number] {
  const sums = series.places.map((_, index) =>
    series.parts.reduce((sum, part) => sum + (valuesOf(part, series, mode)[index] ?? 0), 0),
  );
  // What doubles add up to is not quite 100 either.
  const highest = Math.max(100, ...sums);
  return [0, highest < 100.5 ? 100 : highest];
}

function extentOf(lines: readonly Line[]): readonly [number, number] {
  const values = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const [from = low, to = high] = scaleLinear().domain([low, high]).nice(3).domain();
  return [from, to];
}

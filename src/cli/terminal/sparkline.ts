import { maxOf, minOf } from './min-max.ts';

const MARKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const GAP_MARK = '·';
/** As high as a mark of half the height. */
const HALF_HEIGHT = 3 / MARKS.length;

/**
 * A line of marks, one for each value: the lowest and the highest of them are the lowest and the
 * highest mark, negative or not. Equal values are all half high; null is a gap.
 */
export function formatSparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const [lowest, highest] = [minOf(known), maxOf(known)];
  // Two doubles may be further apart than a double can say; then their halves are not.
  const scale = Number.isFinite(highest - lowest) ? 1 : 0.5;
  const above = (value: number) => value * scale - lowest * scale;
  const span = above(highest);
  return values
    .map((value) => {
      if (value === null) return GAP_MARK;
      const height = span === 0 ? HALF_HEIGHT : above(value) / span;
      return MARKS[Math.min(MARKS.length - 1, Math.floor(height * MARKS.length))];
    })
    .join('');
}

/** How many values share a mark where there is room for so many marks. */
export function getValuesPerMark(values: number, marks: number): number {
  return Math.max(1, Math.ceil(values / marks));
}

/** The means of so many neighbours each; gaps do not count, and nothing but gaps is one. */
export function averageNeighbours(
  values: readonly (number | null)[],
  each: number,
): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / each) }, (_, index) => {
    const known = values.slice(index * each, (index + 1) * each).filter((value) => value !== null);
    if (known.length === 0) return null;
    return known.reduce((sum, value) => sum + value / known.length, 0);
  });
}

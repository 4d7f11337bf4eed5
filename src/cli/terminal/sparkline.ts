import { maxOf, minOf } from './min-max.ts';

const MARKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const GAP_MARK = '·';
/** The height of equal values. */
const HALF_HEIGHT = 3 / MARKS.length;

/** A mark for each value, as high as the value; equal values are half high, and null is a gap. */
export function formatSparkline(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null);
  const [lowest, highest] = [minOf(numbers), maxOf(numbers)];
  // The difference of two doubles may overflow; that of their halves does not.
  const scale = Number.isFinite(highest - lowest) ? 1 : 0.5;
  const getHeight = (value: number) => value * scale - lowest * scale;
  const span = getHeight(highest);
  return values
    .map((value) => {
      if (value === null) return GAP_MARK;
      const height = span === 0 ? HALF_HEIGHT : getHeight(value) / span;
      return MARKS[Math.min(MARKS.length - 1, Math.floor(height * MARKS.length))];
    })
    .join('');
}

/** How many values share a mark, so that at most so many marks are needed. */
export function getValuesPerMark(values: number, marks: number): number {
  return Math.max(1, Math.ceil(values / marks));
}

/** The mean of each group of neighbours, ignoring gaps; a group of gaps is a gap. */
export function averageNeighbours(
  values: readonly (number | null)[],
  groupSize: number,
): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / groupSize) }, (_, index) => {
    const group = values.slice(index * groupSize, (index + 1) * groupSize);
    const numbers = group.filter((value) => value !== null);
    if (numbers.length === 0) return null;
    return numbers.reduce((sum, value) => sum + value / numbers.length, 0);
  });
}

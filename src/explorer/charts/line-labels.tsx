import type { ChartCurve, ChartLayer } from './chart-data.ts';
import type { ChartFrame } from './chart-frame.tsx';
import { LABEL_CHARACTER_WIDTH, layOutLabels } from './scatter-layout.ts';

/** No room in charts that labels would take a quarter of: those have the legend alone. */
export function getLabelWidth(names: readonly string[], width: number): number {
  const longest = Math.max(0, ...names.map(({ length }) => length));
  const labelWidth = Math.ceil(longest * LABEL_CHARACTER_WIDTH);
  return labelWidth < width / 4 ? labelWidth : 0;
}

/** The names of lines beside their ends. */
export function renderLineLabels(
  names: readonly string[],
  layers: readonly ChartLayer[],
  xs: readonly number[],
  frame: ChartFrame,
) {
  if (getLabelWidth(names, frame.width) === 0) return null;
  const named = layers.filter(({ name }) => names.includes(name));
  const ends = named.map(({ name, colorIndex, upper }): ChartCurve => {
    const index = upper.findLastIndex((value) => value !== undefined);
    const [x, y] = [xs[index], upper[index]];
    return { name, colorIndex, points: x === undefined || y === undefined ? [] : [[x, y]] };
  });
  return layOutLabels(ends, frame).map(({ name, colorIndex, top }) => (
    <text
      key={name}
      class={`line-label color-${colorIndex}`}
      x={frame.right + 8}
      // Labels are laid out above their lines; these are beside them.
      y={top + 12}
    >
      {name}
    </text>
  ));
}

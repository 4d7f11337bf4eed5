import { area, line } from 'd3-shape';
import { memo } from '../parts/memo.ts';
import type { Frame } from './frame.tsx';
import { round } from './frame.tsx';
import type { Layer, Layout } from './layers.ts';

interface DrawnProps {
  readonly xs: readonly number[];
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  readonly frame: Frame;
  readonly marks?: ReadonlyMap<number, string> | undefined;
}

/** The layers themselves. Drawn anew only where one of its properties is another. */
export const Drawn = memo(function Drawn({ xs, layers, layout, frame, marks }: DrawnProps) {
  return (
    <g>
      {layers.map((layer) => (
        <g key={layer.name} class={`layer tone-${layer.tone}`} data-name={layer.name}>
          {layer.lower && (
            <path class={layer.isBand ? 'band' : 'area'} d={areaOf(xs, layer, frame)} />
          )}
          {layout === 'bars' ? (
            <path class="bars" d={barsOf(xs, layer, frame)} stroke-width={barWidth(xs, frame)} />
          ) : (
            !layer.isBand && <path class="line" d={lineOf(xs, layer.upper, frame)} />
          )}
        </g>
      ))}
      {layers.slice(0, 2).map((layer) => (layer.isBand ? null : marksOf(xs, layer, frame, marks)))}
    </g>
  );
});

function lineOf(xs: readonly number[], values: Layer['upper'], { x, y }: Frame): string {
  const path = line<number | undefined>()
    .digits(2)
    .defined((value) => value !== undefined)
    .x((_, index) => x(xs[index] ?? 0))
    .y((value) => y(value ?? 0));
  return path(values as (number | undefined)[]) ?? '';
}

function areaOf(xs: readonly number[], { upper, lower }: Layer, { x, y }: Frame): string {
  const path = area<number | undefined>()
    .digits(2)
    .defined((value, index) => value !== undefined && lower?.[index] !== undefined)
    .x((_, index) => x(xs[index] ?? 0))
    .y0((_, index) => y(lower?.[index] ?? 0))
    .y1((value) => y(value ?? 0));
  return path(upper as (number | undefined)[]) ?? '';
}

/** All bars in one stroke: thousands of them move as one. */
function barsOf(xs: readonly number[], { upper }: Layer, { x, y }: Frame): string {
  const foot = round(y(0));
  return upper
    .map((value, index) => (value ? `M${round(x(xs[index] ?? 0))},${foot}V${round(y(value))}` : ''))
    .join('');
}

function barWidth(xs: readonly number[], { left, right }: Frame): number {
  return Math.max(1, Math.min(24, ((right - left) / Math.max(1, xs.length)) * 0.7));
}

function marksOf(
  xs: readonly number[],
  { name, upper }: Layer,
  { x, y }: Frame,
  marks: DrawnProps['marks'],
) {
  return [...(marks?.keys() ?? [])].map((index) => {
    const value = upper[index];
    const at = xs[index];
    if (value === undefined || at === undefined) return null;
    return (
      <circle key={`${name} ${index}`} class="mark" cx={round(x(at))} cy={round(y(value))} r="5" />
    );
  });
}

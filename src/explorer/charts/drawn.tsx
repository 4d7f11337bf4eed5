import { area, line } from 'd3-shape';
import { memo } from '../parts/memo.ts';
import type { Frame } from './frame.tsx';
import { round } from './frame.tsx';
import { type Layer, type Layout, stepOf } from './layers.ts';

interface DrawnProps {
  readonly xs: readonly number[];
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  readonly frame: Frame;
  readonly marks?: ReadonlyMap<number, string> | undefined;
}

/** The layers themselves. Drawn anew only where one of its properties is another. */
export const Drawn = memo(function Drawn({ xs, layers, layout, frame, marks }: DrawnProps) {
  const isBars = layout === 'bars' || layout === 'columns';
  const ringed = layers.filter((layer) => layer.marks);
  return (
    <g>
      {layers.map((layer) => (
        <g key={layer.name} class={`layer tone-${layer.tone}`} data-name={layer.name}>
          {layer.lower && !isBars && (
            <path class={layer.isBand ? 'band' : 'area'} d={areaOf(xs, layer, frame)} />
          )}
          {isBars ? (
            <path
              class="bars"
              d={barsOf(xs, layer, frame)}
              stroke-width={layout === 'bars' ? barWidth(xs, frame) : columnWidth(xs, frame)}
            />
          ) : (
            !layer.isBand && <path class="line" d={lineOf(xs, layer.upper, frame)} />
          )}
          {!isBars && !layer.isBand && <path class="lone" d={loneOf(xs, layer.upper, frame)} />}
        </g>
      ))}
      {ringed.length > 0
        ? ringed.map((layer) => marksOf(xs, layer, frame, layer.marks))
        : layers
            .slice(0, 2)
            .map((layer) => (layer.isBand ? null : marksOf(xs, layer, frame, marks)))}
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

/** Points with none beside them, which a line does not show: a dot each. */
function loneOf(xs: readonly number[], values: Layer['upper'], { x, y }: Frame): string {
  return values
    .map((value, index) => {
      const isLone = values[index - 1] === undefined && values[index + 1] === undefined;
      if (value === undefined || !isLone) return '';
      return `M${round(x(xs[index] ?? 0))},${round(y(value))}h0`;
    })
    .join('');
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
function barsOf(xs: readonly number[], { upper, lower }: Layer, { x, y }: Frame): string {
  return upper
    .map((value, index) => {
      const foot = lower?.[index] ?? 0;
      if (value === undefined || value === foot) return '';
      return `M${round(x(xs[index] ?? 0))},${round(y(foot))}V${round(y(value))}`;
    })
    .join('');
}

function barWidth(xs: readonly number[], { left, right }: Frame): number {
  return Math.max(1, Math.min(24, ((right - left) / Math.max(1, xs.length)) * 0.7));
}

/** Columns stand for periods: they take most of the room between one and the next. */
function columnWidth(xs: readonly number[], { x }: Frame): number {
  return Math.max(1, Math.min(72, (x(stepOf(xs)) - x(0)) * 0.72));
}

function marksOf(
  xs: readonly number[],
  { name, upper }: Layer,
  { x, y }: Frame,
  marks: { keys(): Iterable<number> } | undefined,
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

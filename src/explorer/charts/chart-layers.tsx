import { area, line } from 'd3-shape';
import { memo } from '../components/memo.ts';
import type { ChartFrame } from './chart-frame.tsx';
import { roundPixels } from './chart-frame.tsx';
import { type ChartLayer, type ChartLayout, getMinSpacing } from './layers.ts';

interface ChartLayersProps {
  readonly xs: readonly number[];
  readonly layers: readonly ChartLayer[];
  readonly layout: ChartLayout;
  readonly frame: ChartFrame;
  readonly marks?: ReadonlyMap<number, string> | undefined;
}

/** The layers themselves. Drawn anew only where one of its properties is another. */
export const ChartLayers = memo(function Drawn({
  xs,
  layers,
  layout,
  frame,
  marks,
}: ChartLayersProps) {
  const isBars = layout === 'bars' || layout === 'columns';
  const ringed = layers.filter((layer) => layer.marks);
  return (
    <g>
      {layers.map((layer) => (
        <g key={layer.name} class={`layer color-${layer.colorIndex}`} data-name={layer.name}>
          {layer.lower && !isBars && (
            <path class={layer.isBand ? 'band' : 'area'} d={buildAreaPath(xs, layer, frame)} />
          )}
          {isBars ? (
            <path
              class="bars"
              d={buildBarsPath(xs, layer, frame)}
              stroke-width={layout === 'bars' ? getBarWidth(xs, frame) : getColumnWidth(xs, frame)}
            />
          ) : (
            !layer.isBand && <path class="line" d={buildLinePath(xs, layer.upper, frame)} />
          )}
          {!isBars && !layer.isBand && (
            <path class="isolated-point" d={buildIsolatedPointsPath(xs, layer.upper, frame)} />
          )}
        </g>
      ))}
      {ringed.length > 0
        ? ringed.map((layer) => renderMarks(xs, layer, frame, layer.marks))
        : layers
            .slice(0, 2)
            .map((layer) => (layer.isBand ? null : renderMarks(xs, layer, frame, marks)))}
    </g>
  );
});

function buildLinePath(
  xs: readonly number[],
  values: ChartLayer['upper'],
  { x, y }: ChartFrame,
): string {
  const path = line<number | undefined>()
    .digits(2)
    .defined((value) => value !== undefined)
    .x((_, index) => x(xs[index] ?? 0))
    .y((value) => y(value ?? 0));
  return path(values as (number | undefined)[]) ?? '';
}

/** Points with none beside them, which a line does not show: a dot each. */
function buildIsolatedPointsPath(
  xs: readonly number[],
  values: ChartLayer['upper'],
  { x, y }: ChartFrame,
): string {
  return values
    .map((value, index) => {
      const isLone = values[index - 1] === undefined && values[index + 1] === undefined;
      if (value === undefined || !isLone) return '';
      return `M${roundPixels(x(xs[index] ?? 0))},${roundPixels(y(value))}h0`;
    })
    .join('');
}

function buildAreaPath(
  xs: readonly number[],
  { upper, lower }: ChartLayer,
  { x, y }: ChartFrame,
): string {
  const path = area<number | undefined>()
    .digits(2)
    .defined((value, index) => value !== undefined && lower?.[index] !== undefined)
    .x((_, index) => x(xs[index] ?? 0))
    .y0((_, index) => y(lower?.[index] ?? 0))
    .y1((value) => y(value ?? 0));
  return path(upper as (number | undefined)[]) ?? '';
}

/** All bars in one stroke: thousands of them move as one. */
function buildBarsPath(
  xs: readonly number[],
  { upper, lower }: ChartLayer,
  { x, y }: ChartFrame,
): string {
  return upper
    .map((value, index) => {
      const foot = lower?.[index] ?? 0;
      if (value === undefined || value === foot) return '';
      return `M${roundPixels(x(xs[index] ?? 0))},${roundPixels(y(foot))}V${roundPixels(y(value))}`;
    })
    .join('');
}

function getBarWidth(xs: readonly number[], { left, right }: ChartFrame): number {
  return Math.max(1, Math.min(24, ((right - left) / Math.max(1, xs.length)) * 0.7));
}

/** Columns stand for periods: they take most of the room between one and the next. */
function getColumnWidth(xs: readonly number[], { x }: ChartFrame): number {
  return Math.max(1, Math.min(72, (x(getMinSpacing(xs)) - x(0)) * 0.72));
}

function renderMarks(
  xs: readonly number[],
  { name, upper }: ChartLayer,
  { x, y }: ChartFrame,
  marks: { keys(): Iterable<number> } | undefined,
) {
  return [...(marks?.keys() ?? [])].map((index) => {
    const value = upper[index];
    const at = xs[index];
    if (value === undefined || at === undefined) return null;
    return (
      <circle
        key={`${name} ${index}`}
        class="correction-mark"
        cx={roundPixels(x(at))}
        cy={roundPixels(y(value))}
        r="5"
      />
    );
  });
}

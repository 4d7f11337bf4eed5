import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ChartFrame } from './chart-frame.tsx';
import { ChartPlot, type ChartPlotProps } from './chart-plot.tsx';

interface LinePlotProps extends Omit<ChartPlotProps, 'defaultCursor' | 'children'> {
  readonly onRangeSelect?: ((from: number, to: number) => void) | undefined;
}

type PlotPointerEvent = TargetedPointerEvent<HTMLDivElement>;

/** A plot whose cursor follows the pointer along the points. Dragging selects a range. */
export function LinePlot({ onRangeSelect, ...props }: LinePlotProps) {
  const { frame, xs, cursor, onCursor } = props;
  const [start, setStart] = useState<number>();
  const findIndex = ({ clientX, currentTarget }: PlotPointerEvent) =>
    findNearestIndex(xs, frame, clientX - currentTarget.getBoundingClientRect().left);
  return (
    <ChartPlot
      {...props}
      defaultCursor={xs.length - 1}
      onCursor={(index) => {
        if (index === undefined) setStart(undefined);
        onCursor(index);
      }}
      onPointerMove={(event) => onCursor(findIndex(event))}
      onPointerLeave={({ pointerType }) => {
        // A tooltip chosen by touch stays when the finger is lifted.
        if (pointerType !== 'touch') onCursor(undefined);
        setStart(undefined);
      }}
      onPointerDown={(event) => {
        onCursor(findIndex(event));
        if (event.pointerType !== 'mouse' || event.button !== 0 || !onRangeSelect) return;
        // The range may end outside the plot.
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(findIndex(event));
      }}
      onPointerUp={(event) => {
        const end = findIndex(event);
        if (start !== undefined && Math.abs(end - start) > 2) {
          onRangeSelect?.(Math.min(start, end), Math.max(start, end));
        }
        setStart(undefined);
      }}
    >
      {start !== undefined && cursor !== undefined && cursor !== start && (
        <RangeSelection frame={frame} from={xs[start] ?? 0} to={xs[cursor] ?? 0} />
      )}
    </ChartPlot>
  );
}

function RangeSelection({ frame, from, to }: { frame: ChartFrame; from: number; to: number }) {
  const [left, right] = [frame.x(Math.min(from, to)), frame.x(Math.max(from, to))];
  const style = {
    left: `${left}px`,
    width: `${right - left}px`,
    top: `${frame.top}px`,
    height: `${frame.bottom - frame.top}px`,
  };
  return <div class="range-selection" style={style} />;
}

/** The index of the point nearest to a horizontal position, by binary search. */
function findNearestIndex(xs: readonly number[], { x }: ChartFrame, pixels: number): number {
  let [low, high] = [0, xs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x(xs[middle] ?? 0) < pixels) low = middle;
    else high = middle;
  }
  const distance = (index: number) => Math.abs(x(xs[index] ?? 0) - pixels);
  return distance(low) <= distance(high) ? low : high;
}

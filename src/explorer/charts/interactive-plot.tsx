import type { ComponentChildren, TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ChartFrame } from './chart-frame.tsx';

interface InteractivePlotProps {
  readonly label: string;
  readonly frame: ChartFrame;
  readonly xs: readonly number[];
  readonly cursor: number | undefined;
  readonly onCursor: (index: number | undefined) => void;
  readonly onRangeSelect?: ((from: number, to: number) => void) | undefined;
  /** What is at a point, in words. */
  readonly describePoint: (index: number) => string;
  readonly children: ComponentChildren;
}

/** A drawing that is read off point by point: a slider whose value is what stands at its place. */
export function InteractivePlot({
  label,
  frame,
  xs,
  cursor,
  onCursor,
  onRangeSelect,
  describePoint,
  children,
}: InteractivePlotProps) {
  const [start, setStart] = useState<number>();
  const last = xs.length - 1;
  const at = cursor ?? last;
  const indexOf = (event: TargetedPointerEvent<HTMLElement>) => {
    const pixels = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return findNearestIndex(xs, frame, pixels);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = getIndexForKey(event, at, last);
    if (event.key === 'Escape') {
      setStart(undefined);
      return onCursor(undefined);
    }
    if (to === undefined) return;
    event.preventDefault();
    onCursor(cursor === undefined && !/Home|End/.test(event.key) ? at : to);
  };
  return (
    <div
      class="plot"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={describePoint(at)}
      onKeyDown={onKeyDown}
      onBlur={() => onCursor(undefined)}
      onPointerMove={(event) => onCursor(indexOf(event))}
      onPointerLeave={({ pointerType }) => {
        // What a finger chose stays when it is lifted.
        if (pointerType !== 'touch') onCursor(undefined);
        setStart(undefined);
      }}
      onPointerDown={(event) => {
        onCursor(indexOf(event));
        if (event.pointerType !== 'mouse' || event.button !== 0 || !onRangeSelect) return;
        // A stretch may end beyond the drawing.
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(indexOf(event));
      }}
      onPointerUp={(event) => {
        const end = indexOf(event);
        if (start !== undefined && Math.abs(end - start) > 2) {
          onRangeSelect?.(Math.min(start, end), Math.max(start, end));
        }
        setStart(undefined);
      }}
    >
      {children}
      {start !== undefined && cursor !== undefined && cursor !== start && (
        <RangeSelection frame={frame} from={xs[start] ?? 0} to={xs[cursor] ?? 0} />
      )}
    </div>
  );
}

function RangeSelection({ frame, from, to }: { frame: ChartFrame; from: number; to: number }) {
  const [a, b] = [frame.x(Math.min(from, to)), frame.x(Math.max(from, to))];
  const style = {
    left: `${a}px`,
    width: `${b - a}px`,
    top: `${frame.top}px`,
    height: `${frame.bottom - frame.top}px`,
  };
  return <div class="range-selection" style={style} />;
}

/** Where a key leads; undefined where it leads nowhere. With another key held it is the browser's. */
export function getIndexForKey(event: KeyboardEvent, at: number, last: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - Math.ceil(last / 10),
    PageUp: at + Math.ceil(last / 10),
    Home: 0,
    End: last,
  };
  const to = steps[event.key];
  return to === undefined ? undefined : Math.min(last, Math.max(0, to));
}

/** The point that stands nearest to a place on the screen. */
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

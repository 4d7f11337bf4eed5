import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChartFrame } from './chart-data.ts';
import { type ChartMark, Swatch } from './legend.tsx';
import { placeTooltip } from './place-tooltip.ts';

type PointerHandlers = Pick<
  HTMLAttributes<HTMLDivElement>,
  'onPointerMove' | 'onPointerLeave' | 'onPointerDown' | 'onPointerUp' | 'onClick'
>;

export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly text: string;
    readonly colorIndex: number | undefined;
    readonly mark?: ChartMark | undefined;
  }[];
  readonly note?: string | undefined;
}

export interface ChartPlotProps extends PointerHandlers {
  readonly label: string;
  readonly frame: ChartFrame;
  readonly xs: readonly number[];
  readonly cursor: number | undefined;
  readonly cursorY: number | undefined;
  readonly onCursor: (index: number | undefined) => void;
  /** The position where the cursor starts when a key is pressed. */
  readonly defaultCursor: number;
  readonly onEnter?: () => void;
  readonly getTooltip: (index: number) => TooltipContent;
  /** Read by screen readers while there is no cursor; default: the default point. */
  readonly summary?: string;
  /** Memoized by the caller, so that a moving cursor does not render it again. */
  readonly drawing: ComponentChildren;
  readonly overlay: ComponentChildren;
}

/** A chart as a slider: its value is the point that the tooltip shows. */
export function ChartPlot(props: ChartPlotProps) {
  const { label, frame, xs, cursor, onCursor, defaultCursor, onEnter, ...rest } = props;
  const { getTooltip, summary, drawing, overlay, cursorY, ...pointerHandlers } = rest;
  const { width, height } = frame;
  const viewBox = `0 0 ${width} ${height}`;
  const index = cursor ?? defaultCursor;
  const last = xs.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter?.();
    if (event.key === 'Escape') return onCursor(undefined);
    const target = getIndexForKey(event, index, last);
    if (target === undefined) return;
    event.preventDefault();
    onCursor(cursor === undefined && !/Home|End/.test(event.key) ? defaultCursor : target);
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
      aria-valuenow={index}
      aria-valuetext={(cursor === undefined && summary) || toAriaText(getTooltip(index))}
      onKeyDown={onKeyDown}
      onBlur={() => onCursor(undefined)}
      {...pointerHandlers}
    >
      <svg class="drawing" viewBox={viewBox} width={width} height={height} aria-hidden="true">
        {drawing}
      </svg>
      <svg class="overlay" viewBox={viewBox} width={width} height={height} aria-hidden="true">
        {overlay}
      </svg>
      {cursor !== undefined && (
        <Tooltip
          content={getTooltip(cursor)}
          x={frame.x(xs[cursor] ?? 0)}
          y={cursorY ?? frame.top}
          frame={frame}
        />
      )}
    </div>
  );
}

/** The index that a key leads to; undefined for other keys and the browser's shortcuts. */
function getIndexForKey(event: KeyboardEvent, index: number, last: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - Math.ceil(last / 10),
    PageUp: index + Math.ceil(last / 10),
    Home: 0,
    End: last,
  };
  const target = targets[event.key];
  return target === undefined ? undefined : Math.min(last, Math.max(0, target));
}

function toAriaText({ title, rows, note }: TooltipContent): string {
  const values = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  return `${title}: ${values || 'no value'}${note ? `. ${note}` : ''}`;
}

interface TooltipProps {
  readonly content: TooltipContent;
  /** The point that it belongs to. */
  readonly x: number;
  readonly y: number;
  readonly frame: ChartFrame;
}

/** Narrower charts have their tooltip below, because it would cover half of the chart. */
const MIN_WIDTH_INSIDE = 480;

/** Placed next to the point, on the side with more room, and within the height of the chart. */
function Tooltip({ content: { title, rows, note }, x, y, frame }: TooltipProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => setHeight(ref.current?.offsetHeight ?? 0));
  const isBelow = frame.width < MIN_WIDTH_INSIDE;
  return (
    <div
      class={isBelow ? 'tooltip below' : 'tooltip'}
      style={isBelow ? undefined : placeTooltip(x, y, height, frame)}
      ref={ref}
      aria-hidden="true"
    >
      <strong>{title}</strong>
      {rows.map(({ name, text, colorIndex, mark }) => (
        <div key={name} class={colorIndex === undefined ? 'row' : `row color-${colorIndex}`}>
          {colorIndex !== undefined && <Swatch colorIndex={colorIndex} mark={mark} />}
          <span>{name}</span>
          <b>{text}</b>
        </div>
      ))}
      {note && <p>{note}</p>}
    </div>
  );
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChartFrame } from './chart-data.ts';
import { placeTooltip } from './place-tooltip.ts';
import { type ChartMark, Swatch } from './swatch.tsx';

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

interface TooltipProps {
  readonly content: TooltipContent;
  /** The point that it belongs to. */
  readonly x: number;
  readonly y: number;
  readonly frame: ChartFrame;
}

/** Charts narrower than this have their tooltip below them, because it would cover half of them. */
const MIN_WIDTH_INSIDE = 480;

/** Next to the point, on the side that has more room, and within the height of the chart. */
export function Tooltip({ content: { title, rows, note }, x, y, frame }: TooltipProps) {
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
          {colorIndex !== undefined && <Swatch {...{ colorIndex, mark }} />}
          <span>{name}</span>
          <b>{text}</b>
        </div>
      ))}
      {note && <p>{note}</p>}
    </div>
  );
}

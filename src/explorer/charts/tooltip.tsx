import type { ChartFrame } from './chart-frame.tsx';

/** What is read off at a point. */
export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly text: string;
    /** Undefined where it has no colour. */
    readonly colorIndex: number | undefined;
  }[];
  readonly note?: string | undefined;
}

interface TooltipProps {
  readonly reading: TooltipContent;
  /** Where the point stands, in pixels. */
  readonly at: number;
  readonly frame: ChartFrame;
}

/** What is read off, beside the point: on the side that has more room. */
export function Tooltip({ reading: { title, rows, note }, at, frame }: TooltipProps) {
  const isLeft = at > (frame.left + frame.right) / 2;
  const style = isLeft ? { right: `${frame.width - at + 12}px` } : { left: `${at + 12}px` };
  return (
    <div class="tooltip" style={style} aria-hidden="true">
      <strong>{title}</strong>
      {rows.map(({ name, text, colorIndex }) => (
        <div key={name} class={colorIndex === undefined ? 'row' : `row color-${colorIndex}`}>
          <i class="swatch" />
          <span>{name}</span>
          <b>{text}</b>
        </div>
      ))}
      {note && <p>{note}</p>}
    </div>
  );
}

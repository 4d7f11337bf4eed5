import type { ChartFrame } from './chart-frame.tsx';

export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly text: string;
    readonly colorIndex: number | undefined;
  }[];
  readonly note?: string | undefined;
}

interface TooltipProps {
  readonly content: TooltipContent;
  /** Horizontal position of the point, in pixels. */
  readonly x: number;
  readonly frame: ChartFrame;
}

/** Shown beside the point, on the side that has more room. */
export function Tooltip({ content: { title, rows, note }, x, frame }: TooltipProps) {
  const isLeft = x > (frame.left + frame.right) / 2;
  const style = isLeft ? { right: `${frame.width - x + 12}px` } : { left: `${x + 12}px` };
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

/** The same for screen readers. */
export function toAriaText({ title, rows, note }: TooltipContent): string {
  const values = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  return `${title}: ${values || 'no value'}${note ? `. ${note}` : ''}`;
}

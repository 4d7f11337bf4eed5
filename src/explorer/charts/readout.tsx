import type { Frame } from './frame.tsx';

/** What is read off at a point. */
export interface Reading {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly text: string;
    /** Undefined where it has no colour. */
    readonly tone: number | undefined;
  }[];
  readonly note?: string | undefined;
}

interface ReadoutProps {
  readonly reading: Reading;
  /** Where the point stands, in pixels. */
  readonly at: number;
  readonly frame: Frame;
}

/** What is read off, beside the point: on the side that has more room. */
export function Readout({ reading: { title, rows, note }, at, frame }: ReadoutProps) {
  const isLeft = at > (frame.left + frame.right) / 2;
  const style = isLeft ? { right: `${frame.width - at + 12}px` } : { left: `${at + 12}px` };
  return (
    <div class="readout" style={style} aria-hidden="true">
      <strong>{title}</strong>
      {rows.map(({ name, text, tone }) => (
        <div key={name} class={tone === undefined ? 'row' : `row tone-${tone}`}>
          <i class="swatch" />
          <span>{name}</span>
          <b>{text}</b>
        </div>
      ))}
      {note && <p>{note}</p>}
    </div>
  );
}

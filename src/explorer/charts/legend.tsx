import { Button } from '../components/button.tsx';

interface LegendProps {
  readonly items: readonly {
    readonly name: string;
    /** Identifies the item when it is hidden; by default its name. */
    readonly key?: string;
    readonly colorIndex: number;
    readonly hint?: string | undefined;
    /** How the chart draws it; by default an area. */
    readonly mark?: ChartMark | undefined;
    /** The number of a compared day. */
    readonly comparison?: number | undefined;
    /** Removes it from a comparison. */
    readonly onRemove?: (() => void) | undefined;
  }[];
  readonly hidden?: ReadonlySet<string>;
  /** If absent, items cannot be hidden. */
  readonly onToggle?: (key: string) => void;
}

export function Legend({ items, hidden, onToggle }: LegendProps) {
  return (
    <ul class="legend">
      {items.map(({ name, key = name, hint, onRemove, ...swatch }) => (
        <li key={key} class={`color-${swatch.colorIndex}`}>
          {onToggle ? (
            <Button aria-pressed={!hidden?.has(key)} title={hint} onClick={() => onToggle(key)}>
              <Swatch {...swatch} /> {name}
            </Button>
          ) : (
            <span title={hint}>
              <Swatch {...swatch} /> {name}
            </span>
          )}
          {onRemove && (
            <Button
              class="remove"
              aria-label={`Remove ${name} from the comparison`}
              onClick={onRemove}
            >
              ×
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

export type ChartMark = 'area' | 'line' | 'point';

interface SwatchProps {
  readonly colorIndex: number | undefined;
  readonly mark?: ChartMark | undefined;
  /** The number of a compared day, whose points are hollow and whose lines are dashed. */
  readonly comparison?: number | undefined;
}

/** A small sample of a mark, in the colour of the nearest `color-` class around it. */
export function Swatch({ colorIndex, mark = 'area', comparison }: SwatchProps) {
  return (
    <svg class="swatch" width="14" height="10" aria-hidden="true">
      {renderMark(colorIndex ?? 0, mark, COMPARISON_CLASSES[comparison ?? -1] ?? '')}
    </svg>
  );
}

export const COMPARISON_CLASSES = ['comparison', 'comparison second'];

function renderMark(colorIndex: number, mark: ChartMark, comparison: string) {
  if (mark === 'line') return <path class={`swatch-line ${comparison}`} d="M1,5H13" />;
  if (mark === 'point') {
    const d = getPointPath(colorIndex);
    return <path class={`swatch-point ${comparison}`} d={d} transform="translate(7 5)" />;
  }
  const className = colorIndex === 0 ? 'swatch-band' : 'swatch-area';
  return <rect class={className} x="2" y="0.5" width="10" height="9" rx="2" />;
}

/** Circle, square, triangle and diamond of the same area, around the current position of a path. */
const POINT_PATHS = [
  'm-4.5,0a4.5,4.5 0 1 1 9,0a4.5,4.5 0 1 1 -9,0z',
  'm-4,-4h8v8h-8z',
  'm0,-5.6l5.4,9.6h-10.8z',
  'm0,-5.7l5.7,5.7l-5.7,5.7l-5.7,-5.7z',
] as const;

/** Neighbouring colours also differ in shape. */
export function getPointPath(colorIndex: number): string {
  return POINT_PATHS[Math.max(0, colorIndex - 1) % POINT_PATHS.length] ?? POINT_PATHS[0];
}

import { Button } from '../components/button.tsx';
import { type ChartMark, Swatch } from './swatch.tsx';

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

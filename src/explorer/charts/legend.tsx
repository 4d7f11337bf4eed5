interface LegendProps {
  readonly items: readonly {
    readonly name: string;
    /** Identifies the item when it is hidden; its name by default. */
    readonly key?: string;
    readonly colorIndex: number;
    readonly hint?: string | undefined;
    /** Whether it is drawn hollow. */
    readonly isComparison?: boolean;
  }[];
  readonly hidden?: ReadonlySet<string>;
  /** Without it, nothing can be hidden. */
  readonly onToggle?: (key: string) => void;
}

export function Legend({ items, hidden, onToggle }: LegendProps) {
  return (
    <ul class="legend">
      {items.map(({ name, key = name, colorIndex, hint, isComparison }) => (
        <li key={key} class={`color-${colorIndex}${isComparison ? ' comparison' : ''}`}>
          {onToggle ? (
            <button
              type="button"
              aria-pressed={!hidden?.has(key)}
              title={hint}
              onClick={() => onToggle(key)}
            >
              <i class="swatch" />
              {name}
            </button>
          ) : (
            <span title={hint}>
              <i class="swatch" />
              {name}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface LegendProps {
  readonly items: readonly {
    readonly name: string;
    /** What it is known by where it is hidden and shown; its name where it has none. */
    readonly key?: string;
    readonly colorIndex: number;
    readonly hint?: string | undefined;
    /** Whether it is drawn hollow. */
    readonly isComparison?: boolean;
  }[];
  /** What is not drawn, and how that is changed; without it, nothing can be hidden. */
  readonly hidden?: ReadonlySet<string>;
  readonly onToggle?: (name: string) => void;
}

/** Which colour is what. Where it can be, what is pressed is hidden and shown. */
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

interface LegendProps {
  readonly items: readonly {
    readonly name: string;
    readonly tone: number;
    readonly hint?: string | undefined;
  }[];
  /** What is not drawn, and how that is changed; without it, nothing can be hidden. */
  readonly hidden?: ReadonlySet<string>;
  readonly onToggle?: (name: string) => void;
}

/** Which colour is what. Where it can be, what is pressed is hidden and shown. */
export function Legend({ items, hidden, onToggle }: LegendProps) {
  return (
    <ul class="legend">
      {items.map(({ name, tone, hint }) => (
        <li key={name} class={`tone-${tone}`}>
          {onToggle ? (
            <button
              type="button"
              aria-pressed={!hidden?.has(name)}
              title={hint}
              onClick={() => onToggle(name)}
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

interface SelectProps {
  readonly label: string;
  /** The class of a visible label around the choice; without one, only screen readers read the label. */
  readonly labelClass?: string;
  readonly options: readonly {
    readonly key: string;
    readonly text: string;
    readonly hint?: string;
  }[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}

export function Select({ label, labelClass, options, value, onChange }: SelectProps) {
  const select = (
    <select
      aria-label={labelClass === undefined ? label : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(({ key, text, hint }) => (
        <option key={key} value={key} title={hint}>
          {text}
        </option>
      ))}
    </select>
  );
  if (labelClass === undefined) return select;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the choice is inside
    <label class={labelClass}>
      {label} {select}
    </label>
  );
}

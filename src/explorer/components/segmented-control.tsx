interface SegmentedControlProps<Key extends string> {
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly text: string }[];
  readonly value: Key;
  readonly onChange: (key: Key) => void;
}

export function SegmentedControl<Key extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<Key>) {
  return (
    <fieldset class="segmented-control">
      <legend class="visually-hidden">{label}</legend>
      {options.map(({ key, text }) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}

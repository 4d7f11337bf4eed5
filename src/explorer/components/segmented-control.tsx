interface SegmentedControlProps<Key extends string> {
  /** What is chosen. */
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly text: string }[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}

/** A few options side by side, of which one holds. */
export function SegmentedControl<Key extends string>({
  label,
  options,
  chosen,
  onChoose,
}: SegmentedControlProps<Key>) {
  return (
    <fieldset class="choices">
      <legend class="unseen">{label}</legend>
      {options.map(({ key, text }) => (
        <button key={key} type="button" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}

import { updateParams } from '../routing/view-route.tsx';
import { Button } from './button.tsx';

interface SegmentedControlProps<Key extends string> {
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly text: string }[];
  readonly value: Key;
  /** The URL parameter that a choice sets; the first option removes it. */
  readonly param?: string;
  /** Called instead, where a choice does more than that. */
  readonly onChange?: (key: Key) => void;
}

export function SegmentedControl<Key extends string>(props: SegmentedControlProps<Key>) {
  const { label, options, value, param = '', onChange } = props;
  const choose = (key: Key) =>
    onChange ? onChange(key) : updateParams({ [param]: key === options[0]?.key ? undefined : key });
  return (
    <fieldset class="segmented-control">
      <legend class="visually-hidden">{label}</legend>
      {options.map(({ key, text }) => (
        <Button key={key} aria-pressed={key === value} onClick={() => choose(key)}>
          {text}
        </Button>
      ))}
    </fieldset>
  );
}

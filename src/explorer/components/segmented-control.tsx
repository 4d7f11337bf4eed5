import { updateParams } from '../routing/view-route.tsx';
import { Button } from './button.tsx';

interface SegmentedControlProps<Key extends string> {
  readonly label: string;
  /** The texts of the choices, by key. */
  readonly options: Readonly<Record<Key, string>>;
  /** The chosen keys; any other text if none is chosen. */
  readonly value: string | readonly string[];
  /** The URL parameter that a choice sets; the first option removes it. */
  readonly param?: string;
  /** Called instead, if a choice has further effects. */
  readonly onChange?: (key: Key) => void;
}

export function SegmentedControl<Key extends string>(props: SegmentedControlProps<Key>) {
  const { label, options, value, param = '', onChange } = props;
  const keys = Object.keys(options) as Key[];
  const choose = (key: Key) =>
    onChange ? onChange(key) : updateParams({ [param]: key === keys[0] ? undefined : key });
  return (
    <fieldset class="segmented-control">
      <legend class="visually-hidden">{label}</legend>
      {keys.map((key) => (
        <Button key={key} aria-pressed={[value].flat().includes(key)} onClick={() => choose(key)}>
          {options[key]}
        </Button>
      ))}
    </fieldset>
  );
}

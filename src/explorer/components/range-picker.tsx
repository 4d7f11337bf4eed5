import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { Button } from './button.tsx';
import { SegmentedControl } from './segmented-control.tsx';

interface RangePickerProps<Key extends string> {
  readonly label?: string;
  /** The texts of the spans, by key. */
  readonly options: Readonly<Record<Key, string>>;
  readonly value: Key;
  /** The span that the URL does not name. */
  readonly usual: Key;
  /** The URL parameter of the span. */
  readonly param?: string;
}

/** Chooses how far back charts reach; a range of dates, or one that was dragged over, can be left again. */
export function RangePicker<Key extends string>(props: RangePickerProps<Key>) {
  const { label = 'Range', options, value, usual, param = 'span' } = props;
  const { from, to } = useViewRoute().params;
  const hasDates = (from ?? to) !== undefined;
  const choose = (key: Key) =>
    updateParams({ from: undefined, to: undefined, [param]: key === usual ? undefined : key });
  return (
    <>
      <SegmentedControl
        label={label}
        options={options}
        value={hasDates ? '' : value}
        onChange={choose}
      />
      {hasDates && <Button onClick={() => choose(value)}>Back to {options[value]}</Button>}
    </>
  );
}

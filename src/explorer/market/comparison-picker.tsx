import { DateInput } from '../components/date-input.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { updateParams } from '../routing/view-route.ts';
import { COMPARISON_OPTIONS, DEFAULT_COMPARISON } from './market-filters.ts';

interface ComparisonPickerProps {
  readonly against: string;
  readonly first: string;
  readonly last: string;
}

/** What the day is compared with. */
export function ComparisonPicker({ against, first, last }: ComparisonPickerProps) {
  const set = (value: string) =>
    updateParams({ against: value === DEFAULT_COMPARISON ? '' : value });
  const isDay = /^\d/.test(against);
  return (
    <div class="input-row">
      <span class="muted">Compare with</span>
      <SegmentedControl
        label="Compare with"
        options={COMPARISON_OPTIONS}
        value={against as 'day'}
        onChange={set}
      />
      <DateInput
        label="Compare with the day"
        first={first}
        last={last}
        day={isDay ? against : ''}
        onDay={set}
      />
    </div>
  );
}

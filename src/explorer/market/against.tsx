import { updateParams } from '../address/place.ts';
import { SegmentedControl } from '../parts/choices.tsx';
import { DateInput } from '../parts/day-input.tsx';
import { COMPARISON_OPTIONS, DEFAULT_COMPARISON } from './choices.ts';

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
    <div class="side-by-side">
      <span class="quiet">Compare with</span>
      <SegmentedControl
        label="Compare with"
        options={COMPARISON_OPTIONS}
        chosen={against as 'day'}
        onChoose={set}
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

import { go } from '../address/place.ts';
import { Choices } from '../parts/choices.tsx';
import { DayInput } from '../parts/day-input.tsx';
import { DEFAULT_AGAINST, DISTANCES } from './choices.ts';

interface AgainstProps {
  readonly against: string;
  readonly first: string;
  readonly last: string;
}

/** What the day is compared with. */
export function Against({ against, first, last }: AgainstProps) {
  const set = (value: string) => go({ against: value === DEFAULT_AGAINST ? '' : value });
  const isDay = /^\d/.test(against);
  return (
    <div class="side-by-side">
      <span class="quiet">Compare with</span>
      <Choices label="Compare with" options={DISTANCES} chosen={against as 'day'} onChoose={set} />
      <DayInput
        label="Compare with the day"
        first={first}
        last={last}
        day={isDay ? against : ''}
        onDay={set}
      />
    </div>
  );
}

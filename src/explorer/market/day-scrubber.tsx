import { useEffect, useState } from 'preact/hooks';
import { DateInput } from '../components/date-input.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { fromWeekdayIndex, toWeekdayIndex } from './weekday-index.ts';

interface DayScrubberProps {
  readonly first: string;
  readonly last: string;
  /** The day that is asked for; undefined for the newest. */
  readonly asked: string | undefined;
  /** Whether it is not there yet. */
  readonly isAwaited: boolean;
  readonly onDay: (day: string | undefined) => void;
}

const PLAY_INTERVAL_MS = 140;
const WEEKDAYS_PER_WEEK = 5;

/** Moves the market through time: by hand, day by day, or by itself. */
export function DayScrubber({ first, last, asked, isAwaited, onDay }: DayScrubberProps) {
  const [least, most] = [toWeekdayIndex(first), toWeekdayIndex(last)];
  const at = Math.min(most, Math.max(least, toWeekdayIndex(asked ?? last)));
  const [isPlaying, setPlaying] = useState(false);
  const move = (to: number) =>
    onDay(to >= most ? undefined : fromWeekdayIndex(Math.max(least, to)));
  useEffect(() => {
    // However long a day takes to come, it is seen before the next.
    if (!isPlaying || isAwaited) return;
    if (at >= most) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => move(at + WEEKDAYS_PER_WEEK), PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  });
  const play = () => {
    if (!isPlaying && at >= most) move(least);
    setPlaying(!isPlaying);
  };
  return (
    <div class="scrubber">
      <button
        type="button"
        aria-label="Day before"
        onClick={() => move(at - 1)}
        disabled={at <= least}
      >
        ‹
      </button>
      <button
        type="button"
        aria-label="Day after"
        onClick={() => move(at + 1)}
        disabled={at >= most}
      >
        ›
      </button>
      <button type="button" onClick={play} title="Week by week to the newest day">
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={formatDayLabel(asked ?? last)}
        min={least}
        max={most}
        value={at}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <DateInput
        label="Date"
        first={first}
        last={last}
        day={asked ?? last}
        onDay={(chosen) => onDay(chosen || undefined)}
      />
      {asked !== undefined && (
        <button type="button" onClick={() => onDay(undefined)}>
          Newest
        </button>
      )}
    </div>
  );
}

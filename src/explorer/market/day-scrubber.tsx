import { useEffect, useState } from 'preact/hooks';
import { DateInput } from '../components/date-input.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { fromWeekdayIndex, toWeekdayIndex } from './weekday-index.ts';

interface DayScrubberProps {
  readonly first: string;
  readonly last: string;
  /** The day that is asked for; undefined for the newest. */
  readonly selectedDay: string | undefined;
  /** Whether it is not there yet. */
  readonly isLoading: boolean;
  readonly onDay: (day: string | undefined) => void;
}

const PLAY_INTERVAL_MS = 140;
const WEEKDAYS_PER_WEEK = 5;

/** Moves the market through time: by hand, day by day, or by itself. */
export function DayScrubber({ first, last, selectedDay, isLoading, onDay }: DayScrubberProps) {
  const [least, max] = [toWeekdayIndex(first), toWeekdayIndex(last)];
  const at = Math.min(max, Math.max(least, toWeekdayIndex(selectedDay ?? last)));
  const [isPlaying, setPlaying] = useState(false);
  const move = (to: number) => onDay(to >= max ? undefined : fromWeekdayIndex(Math.max(least, to)));
  useEffect(() => {
    // However long a day takes to come, it is seen before the next.
    if (!isPlaying || isLoading) return;
    if (at >= max) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => move(at + WEEKDAYS_PER_WEEK), PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  });
  const play = () => {
    if (!isPlaying && at >= max) move(least);
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
        disabled={at >= max}
      >
        ›
      </button>
      <button type="button" onClick={play} title="Week by week to the newest day">
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={formatDayLabel(selectedDay ?? last)}
        min={least}
        max={max}
        value={at}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <DateInput
        label="Date"
        first={first}
        last={last}
        day={selectedDay ?? last}
        onDay={(chosen) => onDay(chosen || undefined)}
      />
      {selectedDay !== undefined && (
        <button type="button" onClick={() => onDay(undefined)}>
          Newest
        </button>
      )}
    </div>
  );
}

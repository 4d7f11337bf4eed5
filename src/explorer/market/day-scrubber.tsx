import { useEffect, useState } from 'preact/hooks';
import { DateInput } from '../components/date-input.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { fromWeekdayIndex, toWeekdayIndex } from './weekday-index.ts';

interface DayScrubberProps {
  readonly first: string;
  readonly last: string;
  /** Undefined for the newest day. */
  readonly selectedDay: string | undefined;
  readonly isLoading: boolean;
  readonly onDay: (day: string | undefined) => void;
}

const PLAY_INTERVAL_MS = 140;
const WEEKDAYS_PER_WEEK = 5;

/** Moves the market through time: with a slider, day by day, or playing week by week. */
export function DayScrubber(props: DayScrubberProps) {
  const { first, last, selectedDay, onDay } = props;
  const { index, min, max, isPlaying, move, togglePlaying } = useScrubber(props);
  return (
    <div class="scrubber">
      <button
        type="button"
        aria-label="Day before"
        onClick={() => move(index - 1)}
        disabled={index <= min}
      >
        ‹
      </button>
      <button
        type="button"
        aria-label="Day after"
        onClick={() => move(index + 1)}
        disabled={index >= max}
      >
        ›
      </button>
      <button type="button" onClick={togglePlaying} title="Week by week to the newest day">
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={formatDayLabel(selectedDay ?? last)}
        min={min}
        max={max}
        value={index}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <DateInput
        label="Date"
        first={first}
        last={last}
        day={selectedDay ?? last}
        onDay={(day) => onDay(day || undefined)}
      />
      {selectedDay !== undefined && (
        <button type="button" onClick={() => onDay(undefined)}>
          Newest
        </button>
      )}
    </div>
  );
}

/** The position among the weekdays, and whether it advances by itself. */
function useScrubber({ first, last, selectedDay, isLoading, onDay }: DayScrubberProps) {
  const [min, max] = [toWeekdayIndex(first), toWeekdayIndex(last)];
  const index = Math.min(max, Math.max(min, toWeekdayIndex(selectedDay ?? last)));
  const [isPlaying, setPlaying] = useState(false);
  const move = (to: number) => onDay(to >= max ? undefined : fromWeekdayIndex(Math.max(min, to)));
  useEffect(() => {
    // The next day waits until this one has loaded.
    if (!isPlaying || isLoading) return;
    if (index >= max) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => move(index + WEEKDAYS_PER_WEEK), PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  });
  const togglePlaying = () => {
    if (!isPlaying && index >= max) move(min);
    setPlaying(!isPlaying);
  };
  return { index, min, max, isPlaying, move, togglePlaying };
}

import { useEffect, useState } from 'preact/hooks';
import { dayWords } from '../figures/days.ts';
import { DayInput } from '../parts/day-input.tsx';
import { weekdayNumber, weekdayText } from './weekdays.ts';

interface ScrubberProps {
  readonly first: string;
  readonly last: string;
  /** The day that is asked for; undefined for the newest. */
  readonly asked: string | undefined;
  /** Whether it is not there yet. */
  readonly isAwaited: boolean;
  readonly onDay: (day: string | undefined) => void;
}

const STEP_MS = 140;
const WEEK = 5;

/** Moves the market through time: by hand, day by day, or by itself. */
export function Scrubber({ first, last, asked, isAwaited, onDay }: ScrubberProps) {
  const [least, most] = [weekdayNumber(first), weekdayNumber(last)];
  const at = Math.min(most, Math.max(least, weekdayNumber(asked ?? last)));
  const [isPlaying, setPlaying] = useState(false);
  const move = (to: number) => onDay(to >= most ? undefined : weekdayText(Math.max(least, to)));
  useEffect(() => {
    // However long a day takes to come, it is seen before the next.
    if (!isPlaying || isAwaited) return;
    if (at >= most) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => move(at + WEEK), STEP_MS);
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
        aria-valuetext={dayWords(asked ?? last)}
        min={least}
        max={most}
        value={at}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <DayInput
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

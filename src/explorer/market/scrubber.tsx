import { useEffect, useState } from 'preact/hooks';
import { dayWords } from '../figures/days.ts';
import { weekdayNumber, weekdayText } from './weekdays.ts';

interface ScrubberProps {
  readonly first: string;
  readonly last: string;
  /** The day that is shown. */
  readonly day: string;
  /** The day that was asked for, which may have no quotes. */
  readonly asked: string | undefined;
  readonly onDay: (day: string | undefined) => void;
}

const STEP_MS = 140;
const WEEK = 5;

/** Moves the market through time: by hand, day by day, or by itself. */
export function Scrubber({ first, last, day, asked, onDay }: ScrubberProps) {
  const [least, most] = [weekdayNumber(first), weekdayNumber(last)];
  const at = Math.min(most, Math.max(least, weekdayNumber(asked ?? last)));
  const [isPlaying, setPlaying] = useState(false);
  const move = (to: number) => onDay(to >= most ? undefined : weekdayText(Math.max(least, to)));
  useEffect(() => {
    if (!isPlaying) return;
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
        aria-valuetext={dayWords(asked ?? day)}
        min={least}
        max={most}
        value={at}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <input
        type="date"
        aria-label="Date"
        min={first}
        max={last}
        value={asked ?? day}
        onChange={({ currentTarget }) => onDay(currentTarget.value || undefined)}
      />
      {asked !== undefined && (
        <button type="button" onClick={() => onDay(undefined)}>
          Newest
        </button>
      )}
    </div>
  );
}

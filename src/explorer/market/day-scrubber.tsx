import { useEffect } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { DateInput } from '../components/date-input.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { fromWeekdayIndex, toWeekdayIndex } from './key-rates.ts';

interface DayScrubberProps {
  readonly first: string;
  readonly last: string;
  /** Undefined for the newest day. */
  readonly selectedDay: string | undefined;
  /** The day that the page shows, which may be an earlier one while a day loads. */
  readonly loadedDay: string | undefined;
  readonly isLoading: boolean;
  readonly isPlaying: boolean;
  readonly onDay: (day: string | undefined) => void;
  readonly onPlay: (isPlaying: boolean) => void;
}

const PLAY_HINT = 'Week by week to the newest day';
const PLAY_INTERVAL_MS = 140;
const WEEKDAYS_PER_WEEK = 5;

const STEPS = [
  { label: 'Day before', sign: '‹', step: -1 },
  { label: 'Day after', sign: '›', step: 1 },
];

/** Moves the market through time: by day, by week, to a date, or with a slider. */
export function useDayScrubber(props: DayScrubberProps) {
  const { first, last, selectedDay, loadedDay, isPlaying, onDay, onPlay } = props;
  const { index, min, max, toDay, togglePlaying } = usePlayback(props);
  const choose = (chosen: string | undefined) => {
    onPlay(false);
    onDay(chosen);
  };
  const chooseIndex = (to: number) => choose(toDay(to));
  // During playback the slider shows the page's day; otherwise the visitor moves it.
  const day = (isPlaying ? loadedDay : undefined) ?? selectedDay ?? last;
  const stepper = (
    <div class="day-stepper row">
      {STEPS.map(({ label, sign, step }) => (
        <Button
          key={label}
          aria-label={label}
          onClick={() => chooseIndex(index + step)}
          disabled={step < 0 ? index <= min : index >= max}
        >
          {sign}
        </Button>
      ))}
      <DateInput
        label="Date"
        first={first}
        last={last}
        day={day}
        onDay={(to) => choose(to || undefined)}
      />
      {selectedDay !== undefined && <Button onClick={() => choose(undefined)}>Newest</Button>}
    </div>
  );
  const slider = (
    <div class="day-slider row">
      <Button class="play" onClick={togglePlaying} title={PLAY_HINT}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={formatDayLabel(day)}
        min={min}
        max={max}
        value={clamp(toWeekdayIndex(day), min, max)}
        onInput={({ currentTarget }) => chooseIndex(Number(currentTarget.value))}
      />
    </div>
  );
  return { stepper, slider };
}

/** The position among the weekdays, which advances during playback. */
function usePlayback(props: DayScrubberProps) {
  const { first, last, selectedDay, isLoading, isPlaying, onDay, onPlay } = props;
  const [min, max] = [toWeekdayIndex(first), toWeekdayIndex(last)];
  const index = clamp(toWeekdayIndex(selectedDay ?? last), min, max);
  const toDay = (to: number) => (to >= max ? undefined : fromWeekdayIndex(Math.max(min, to)));
  useEffect(() => {
    // The next day waits until this one has loaded.
    if (!isPlaying || isLoading) return;
    if (index >= max) {
      onPlay(false);
      return;
    }
    const timer = setTimeout(() => onDay(toDay(index + WEEKDAYS_PER_WEEK)), PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  });
  const togglePlaying = () => {
    // Playback from the newest day starts over.
    if (!isPlaying && index >= max) onDay(toDay(min));
    onPlay(!isPlaying);
  };
  return { index, min, max, toDay, togglePlaying };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

import { useMemo, useState } from 'preact/hooks';
import { DAY_MS } from '../../shared/calendar.ts';
import { createDayTicks, createPeriodTicks } from '../charts/ticks.ts';
import { formatPeriodLabel } from '../formatting/dates.ts';
import type { PeriodTimeline } from './period-timeline.ts';

/** A common axis width aligns the periods of all charts. */
const MIN_AXIS_CHARACTERS = 7;

interface AxisTimeline
  extends Pick<PeriodTimeline, 'labels' | 'names' | 'lastDays' | 'periodsPerYear'> {
  readonly ordinals?: readonly number[];
}

/** The axis of charts of the same periods, with a shared cursor. */
export function usePeriodAxis(timeline: AxisTimeline) {
  const { labels, names = labels } = timeline;
  const [hovered, setHovered] = useState<{ labels: typeof labels; index: number | undefined }>();
  const scale = useMemo(() => {
    const { ordinals = [], lastDays, periodsPerYear } = timeline;
    const [first = 0] = ordinals;
    const getLabel = (ordinal: number) => labels[ordinal - first] ?? '';
    // The labels of days and weeks are too long.
    return periodsPerYear >= 52
      ? { xs: lastDays.map((day) => day * DAY_MS), ticks: createDayTicks }
      : { xs: ordinals, ticks: createPeriodTicks(getLabel, periodsPerYear) };
  }, [labels]);
  return {
    ...scale,
    labels: names,
    minAxisCharacters: MIN_AXIS_CHARACTERS,
    getPointLabel: (index: number) => formatPeriodLabel(names[index] ?? ''),
    // The index of a hovered point is only valid for its own periods.
    cursor: hovered?.labels === labels ? hovered.index : undefined,
    onCursor: (index: number | undefined) => setHovered({ labels, index }),
  };
}

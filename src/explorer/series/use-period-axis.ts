import { useMemo, useState } from 'preact/hooks';
import { DAY_MS } from '../../shared/calendar.ts';
import { createDayTicks, createPeriodTicks } from '../charts/ticks.ts';
import { formatPeriodLabel } from '../formatting/dates.ts';
import type { PeriodTimeline } from './period-timeline.ts';

/** The same axis width in all charts aligns their periods. */
const MIN_AXIS_CHARACTERS = 7;

interface AxisTimeline extends Pick<PeriodTimeline, 'labels' | 'lastDays' | 'periodsPerYear'> {
  readonly ordinals?: readonly number[];
}

/** The axis of charts of the same periods, with a cursor that they share. */
export function usePeriodAxis(timeline: AxisTimeline) {
  const { labels } = timeline;
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
    minAxisCharacters: MIN_AXIS_CHARACTERS,
    getPointLabel: (index: number) => formatPeriodLabel(labels[index] ?? ''),
    // The index of a hovered point only holds for the periods that it belongs to.
    cursor: hovered?.labels === labels ? hovered.index : undefined,
    onCursor: (index: number | undefined) => setHovered({ labels, index }),
  };
}

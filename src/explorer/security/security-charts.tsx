import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isDay, parseDay } from '../../shared/calendar.ts';
import type { DatasetEntry } from '../api/types.ts';
import { ChartList } from '../charts/chart-list.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { usePeriodAxis } from '../series/use-period-axis.ts';
import { buildSecurityCharts, type SecurityHistory } from './security-chart-data.ts';

export function SecurityCharts(props: SecurityHistory & { entry: DatasetEntry }) {
  const { entry, quotes, spreads, corrections } = props;
  const { point } = useViewRoute().params;
  const { days, charts } = useMemo(() => {
    const oldestFirst = quotes.toReversed();
    return {
      days: oldestFirst.map(({ date }) => date),
      charts: buildSecurityCharts(entry, { quotes: oldestFirst, spreads, corrections }),
    };
  }, [quotes, spreads, corrections, entry]);
  const axis = usePeriodAxis({ labels: days, lastDays: days.map(parseDay), periodsPerYear: 365 });
  const selected = point === undefined ? -1 : days.indexOf(point);
  const isSelected = selected >= 0;
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) root.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [point, isSelected]);
  return (
    <div class="charts" ref={root}>
      <ChartList
        {...axis}
        charts={charts}
        title={quotes[0]?.symbol ?? ''}
        cursor={axis.cursor ?? (isSelected ? selected : undefined)}
        onRangeSelect={(from, to) => updateParams({ from: days[from], to: days[to] })}
        height={200}
      />
      {point !== undefined && isDay(point) && !isSelected && (
        <p class="muted" role="status">
          There is no quote of {formatDayLabel(point)} in this range.
        </p>
      )}
    </div>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { judgeTimeliness } from '../../catalogue/model/next-due.ts';
import { isDay } from '../../shared/calendar.ts';
import { useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatQuantity } from '../formatting/numbers.ts';

/** Says which data of a dataset is late, and since when; nothing of an earlier instant. */
export function LateNote({ entry: { nextDue } }: { readonly entry: DatasetEntry }) {
  const { api } = useExplorer();
  const now = useCurrentHour();
  if (!nextDue || api.asOf !== undefined) return null;
  const { timeliness, daysDue } = judgeTimeliness(nextDue, now);
  if (timeliness !== 'late') return null;
  const { period, dueAt } = nextDue;
  const label = isDay(period) ? formatDayLabel(period) : period;
  const dueDay = formatDayLabel(dueAt.slice(0, 10));
  return (
    <p class="late-note">
      {label}: due since {dueDay}, {formatQuantity(daysDue, 'day')} late
    </p>
  );
}

const HOUR_MS = 3_600_000;

/** The time, renewed every hour: a page may stay open for days. */
function useCurrentHour(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), HOUR_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

import { judgeTimeliness } from '../../catalogue/model/next-due.ts';
import { useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { formatDayLabel, formatPeriodLabel } from '../formatting/dates.ts';
import { formatQuantity } from '../formatting/numbers.ts';

/** Says which data of a dataset is late, and since when; nothing as of an earlier instant. */
export function LateNote({ entry: { nextDue } }: { readonly entry: DatasetEntry }) {
  const { api } = useExplorer();
  if (!nextDue || api.asOf !== undefined) return null;
  const { timeliness, daysDue } = judgeTimeliness(nextDue, new Date());
  if (timeliness !== 'late') return null;
  const { period, dueAt } = nextDue;
  const dueDay = formatDayLabel(dueAt.slice(0, 10));
  return (
    <p class="late-note">
      The figures of {formatPeriodLabel(period)} were due on {dueDay}: they are{' '}
      {formatQuantity(daysDue, 'day')} late.
    </p>
  );
}

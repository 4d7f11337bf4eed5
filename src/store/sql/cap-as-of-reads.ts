import type { QuoteSelection } from '../reader.ts';
import { hasFilters } from './quote-filters.ts';

/**
 * Adds that no record as of a revision is newer than the newest day then, which keeps a scan from
 * the newest day on from passing everything that was published since. The latest quotes are read
 * in two attempts, because they are nearly always of that very day.
 */
export function capAtNewestDay(
  selection: QuoteSelection,
  newestDay: string | null,
): QuoteSelection[] {
  if (newestDay === null) return [selection];
  const { dateRange } = selection;
  if (dateRange) {
    const [from, to] = dateRange;
    return [{ ...selection, dateRange: [from, to < newestDay ? to : newestDay] }];
  }
  const onNewestDay: QuoteSelection = { ...selection, dateRange: [newestDay, newestDay] };
  return hasFilters(selection)
    ? [onNewestDay, { ...selection, notAfter: newestDay }]
    : [onNewestDay];
}

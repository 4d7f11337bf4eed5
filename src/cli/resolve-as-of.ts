import { isDay } from '../calendar.ts';
import { acceptDatetime } from '../catalogue/model/accept-datetime.ts';
import type { StoreReader } from '../store/open-store.ts';
import { UsageError } from './command.ts';

/** The revision that stood then; undefined where no time is named. */
export async function resolveAsOfRevision(
  reader: StoreReader,
  when: string | boolean | undefined,
): Promise<number | undefined> {
  if (when === undefined) return undefined;
  const text = String(when);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const instant = acceptDatetime.parse(isDay(text) ? `${text}T23:59:59Z` : text);
  if (instant) return (await reader.revisionAt(instant.toISOString()))?.revision ?? 0;
  throw new UsageError(
    '--as-of must be a revision such as 12, a day such as 2026-06-30, or an instant such as 2026-06-30T12:00:00Z',
  );
}

import { foldAsciiCase } from '../../schema/storage-table.ts';
import { formatNames } from '../../shared/format-names.ts';
import type { Warning } from './warning-rules.ts';

const MAX_LISTED_CALENDARS = 10;

/** Creates a function that warns about terms whose calendar has no holidays, as its name may be misspelt. */
export function createCalendarCheck(holidays: Iterable<{ readonly calendar?: unknown }>) {
  const names = new Map<string, string>();
  for (const { calendar } of holidays)
    names.getOrInsert(foldAsciiCase(String(calendar)), String(calendar));
  const list = formatNames([...names.values()], MAX_LISTED_CALENDARS);
  const known = list === '' ? 'no calendar has any' : `calendars with holidays are ${list}`;
  return ({ calendar: value = null }: Readonly<Record<string, unknown>>) => {
    if (value === null || names.has(foldAsciiCase(String(value)))) return undefined;
    const text = `calendar ${value} has no holidays; ${known}`;
    return { rule: 'unknown-calendar', field: 'calendar', value, text } satisfies Warning;
  };
}

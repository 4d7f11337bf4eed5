import { isDay } from '../../shared/calendar.ts';
import { acceptDatetime } from './accept-datetime.ts';
import { INSTANT_PATTERN_SOURCE, isInstant } from './iso-date-time.ts';
import type { Parameter } from './parameter.ts';

/** The value of `as_of`: a revision, or an instant with the text that names it. */
export type AsOf =
  | { readonly revision: number }
  | { readonly instant: Date; readonly text: string };

const REVISION_SOURCE = '[1-9][0-9]*';
const REVISION_PATTERN = new RegExp(`^${REVISION_SOURCE}$`);
const DAY_SOURCE = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

/** The same as `Accept-Datetime`, for clients that cannot set headers. */
export const asOfParameter: Parameter<AsOf> = {
  description:
    'Requests the response as of that revision or instant, as the header Accept-Datetime does, and wins over it. By the number of a revision, the data never changes',
  requirement:
    'the number of a revision, a calendar day as YYYY-MM-DD, which means its end in UTC, or an ISO 8601 instant with Z or an offset such as 2026-11-15T04:30:00.250Z',
  // A pattern cannot verify that the day exists.
  schema: {
    type: 'string',
    pattern: `^(?:${REVISION_SOURCE}|${DAY_SOURCE}|${INSTANT_PATTERN_SOURCE})$`,
  },
  example: '2026-06-30',
  parse(text) {
    if (REVISION_PATTERN.test(text))
      return { revision: Math.min(Number(text), Number.MAX_SAFE_INTEGER - 1) };
    if (isDay(text)) return { instant: new Date(`${text}T23:59:59.999Z`), text };
    // In an unencoded query, the plus sign of an offset means a space.
    const iso = text.replace(' ', '+');
    const instant = isInstant(iso) ? acceptDatetime.parse(iso) : undefined;
    return instant && { instant, text: iso };
  },
};

import { isDay } from '../../calendar.ts';
import { acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { CommandError, UsageError } from '../command.ts';
import type { AsOfInstant } from './fetch-pages.ts';
import { ApiResponseError, fetchPages } from './fetch-pages.ts';
import type { SendRequest } from './transport.ts';

/** The instant that `--as-of` names: an instant, the end of a day, or that of a revision. */
export async function resolveAsOfInstant(
  ask: SendRequest,
  when: string | boolean | undefined,
): Promise<AsOfInstant | undefined> {
  if (when === undefined) return undefined;
  const text = isDay(String(when)) ? `${when}T23:59:59Z` : String(when);
  if (acceptDatetime.parse(text)) return { instant: text };
  if (text === '0') return { instant: EPOCH, revision: 0 };
  if (/^[1-9]\d{0,14}$/.test(text)) return findRevisionInstant(ask, Number(text));
  throw new UsageError(
    '--as-of must be a revision such as 12, a day such as 2026-06-30, or an instant such as 2026-06-30T12:00:00Z',
  );
}

const EPOCH = '1970-01-01T00:00:00Z';

async function findRevisionInstant(ask: SendRequest, revision: number): Promise<AsOfInstant> {
  const asked = { path: `/revisions/${revision}`, query: 'limit=1' };
  const wanted = { accept: RESPONSE_FORMATS.json.mediaType, allPages: false };
  try {
    const { value } = await fetchPages(ask, asked, wanted).next();
    const { data } = JSON.parse(value?.text ?? '') as { data: { publishedAt: string } };
    return { instant: data.publishedAt, revision };
  } catch (cause) {
    if (!(cause instanceof ApiResponseError) || !cause.body.includes('"not_found"')) throw cause;
    throw new CommandError(`there is no revision ${revision}`);
  }
}

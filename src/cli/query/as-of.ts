import { isDay } from '../../calendar.ts';
import { acceptDatetime } from '../../catalogue/accept-datetime.ts';
import { representations } from '../../catalogue/representation.ts';
import { Refused, WrongUse } from '../command.ts';
import type { Ask } from './asking.ts';
import type { AsOf } from './pages.ts';
import { AnswerRefused, pages } from './pages.ts';

/** The instant that `--as-of` names: an instant, the end of a day, or that of a revision. */
export async function asOfNamed(
  ask: Ask,
  when: string | boolean | undefined,
): Promise<AsOf | undefined> {
  if (when === undefined) return undefined;
  const text = isDay(String(when)) ? `${when}T23:59:59Z` : String(when);
  if (acceptDatetime.read(text)) return { instant: text };
  if (text === '0') return { instant: BEFORE_ALL, revision: 0 };
  if (/^[1-9]\d{0,14}$/.test(text)) return published(ask, Number(text));
  throw new WrongUse(
    '--as-of must be a revision such as 12, a day such as 2026-06-30, or an instant such as 2026-06-30T12:00:00Z',
  );
}

const BEFORE_ALL = '1970-01-01T00:00:00Z';

async function published(ask: Ask, revision: number): Promise<AsOf> {
  const asked = { path: `/revisions/${revision}`, query: 'limit=1' };
  const wanted = { accept: representations.json.mediaType, all: false };
  try {
    const { value } = await pages(ask, asked, wanted).next();
    const { data } = JSON.parse(value?.text ?? '') as { data: { publishedAt: string } };
    return { instant: data.publishedAt, revision };
  } catch (cause) {
    if (!(cause instanceof AnswerRefused) || !cause.body.includes('"not_found"')) throw cause;
    throw new Refused(`there is no revision ${revision}`);
  }
}

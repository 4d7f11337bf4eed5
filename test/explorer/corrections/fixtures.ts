import type { CorrectionEntry, JsonRecord } from '../../../src/explorer/api/types.ts';

/** A correction of a record; null retires it. */
export function corrected(
  old: object,
  now: object | null,
  known: Partial<Pick<CorrectionEntry, 'revision' | 'publishedAt'>> = {},
): CorrectionEntry {
  return {
    revision: 14,
    publishedAt: '2026-07-03T06:13:00.000Z',
    ...known,
    change: now ? 'corrected' : 'retired',
    old: { ...old } as JsonRecord,
    new: now && ({ ...now } as JsonRecord),
  };
}

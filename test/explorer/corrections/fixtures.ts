import type { CorrectionEntry, JsonRecord } from '../../../src/explorer/api/types.ts';

/** A correction of a record; null retires it. */
export function createCorrection(
  old: object,
  current: object | null,
  revision = 14,
): CorrectionEntry {
  return {
    revision,
    publishedAt: '2026-07-03T06:13:00.000Z',
    change: current ? 'corrected' : 'retired',
    old: { ...old } as JsonRecord,
    new: current && ({ ...current } as JsonRecord),
  };
}

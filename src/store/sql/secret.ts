import { StoreUnavailable } from '../store.ts';
import type { Steps } from './steps.ts';
import { rowOf } from './steps.ts';

/** What the store signs with. */
export function* secretIn(): Steps<Uint8Array> {
  const sql = "SELECT value FROM secrets WHERE name = 'cursor'";
  const row = yield* rowOf<{ value: Uint8Array }>(sql);
  if (!row) throw new StoreUnavailable('it has no secret to sign with');
  return row.value;
}

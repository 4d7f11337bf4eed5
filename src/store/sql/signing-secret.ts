import { StoreUnavailableError } from '../errors.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRow } from './query-steps.ts';

/** What the store signs with. */
export function* readSigningSecret(): QuerySteps<Uint8Array> {
  const sql = "SELECT value FROM secrets WHERE name = 'cursor'";
  const row = yield* queryRow<{ value: Uint8Array }>(sql);
  if (!row) throw new StoreUnavailableError('it has no secret to sign with');
  return row.value;
}

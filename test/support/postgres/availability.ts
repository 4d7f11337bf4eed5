import { findBinaries } from './binaries.ts';

/** Why there is no PostgreSQL to test on, or nothing where there is one. */
export function explainMissingPostgres(): string | undefined {
  return process.env.TENOR_TEST_POSTGRES ? undefined : explainMissingBinaries();
}

/** Why no server can be started here to be paused, killed or followed, if none can. */
export function explainMissingBinaries(): string | undefined {
  const found = findBinaries();
  return 'absent' in found ? found.absent : undefined;
}

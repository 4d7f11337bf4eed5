import { foundBinaries } from './binaries.ts';

/** Why there is no PostgreSQL to test on, or nothing where there is one. */
export function postgresAbsent(): string | undefined {
  return process.env.TENOR_TEST_POSTGRES ? undefined : serverAbsent();
}

/** Why no server can be started here to be paused, killed or followed, if none can. */
export function serverAbsent(): string | undefined {
  const found = foundBinaries();
  return 'absent' in found ? found.absent : undefined;
}

import { DAY_MS } from '../../shared/calendar.ts';
import { system } from '../../shared/system.ts';
import { waitUntil } from '../../shared/wait-until.ts';
import { ClockSkewError } from '../errors.ts';
import type { Revision } from '../ledger.ts';
import type { PublisherOptions } from '../publisher.ts';
import type { WriteSession } from './session.ts';

const MAX_SKEW_MS = 60_000;
const MAX_JUMP_MS = 366 * DAY_MS;
/** For a clock that no database server confirms: one revision of the future would date all later ones. */
const MAX_UNCONFIRMED_MS = 90 * DAY_MS;

type LastRevision = Pick<Revision, 'revision' | 'publishedAt' | 'sample'> | undefined;

/**
 * Rejects a publisher whose clock is wrong, before it writes anything: by the clock of the database
 * server, or by all that a file knows of time, and by the last revision.
 */
export async function assertClockIsRight(
  session: Pick<WriteSession, 'readClock' | 'findLastActivity'>,
  last: LastRevision,
  { allowsClockSkew = false, onClockJump = () => {} }: PublisherOptions,
  notBefore?: Date,
): Promise<void> {
  const ownMs = system.now();
  const storeMs = await session.readClock();
  const own = `the clock of this machine (${formatInstant(ownMs)})`;
  if (!allowsClockSkew && Math.abs(ownMs - storeMs) > MAX_SKEW_MS) {
    throw new ClockSkewError(
      `${own} is ${formatSkew(ownMs - storeMs)} that of the database server (${formatInstant(storeMs)}): set it right, or give --clock-skew allow to publish by the clock of the database server`,
    );
  }
  if (session.findLastActivity && !allowsClockSkew) {
    const clockMs = Math.max(storeMs, notBefore?.getTime() ?? 0);
    const clock = clockMs > storeMs ? `--at (${formatInstant(clockMs)})` : own;
    const activityMs = session.findLastActivity();
    // Instants of a sample are made up.
    const lastMs = last && !last.sample ? Date.parse(last.publishedAt) : 0;
    const knownMs = Math.max(lastMs, activityMs);
    const known =
      lastMs >= activityMs
        ? `revision ${last?.revision} (${last?.publishedAt})`
        : `the last use of a token or start of a server (${formatInstant(activityMs).slice(0, 10)})`;
    if (knownMs > 0 && clockMs - knownMs > MAX_UNCONFIRMED_MS)
      throw new ClockSkewError(
        `${clock} is ${formatSkew(clockMs - knownMs)} ${known}, the last that the database knows of: set it right, or give --clock-skew allow if nothing has happened since`,
      );
  }
  if (!last) return;
  const aheadMs = storeMs - Date.parse(last.publishedAt);
  const lastText = `revision ${last.revision} (${last.publishedAt})`;
  if (!allowsClockSkew && aheadMs < -MAX_SKEW_MS) {
    const clock = Math.abs(ownMs - storeMs) > MAX_SKEW_MS ? 'the clock' : own;
    throw new ClockSkewError(
      `${clock} is ${formatSkew(aheadMs)} ${lastText}, the last one: set it right, or give --clock-skew allow to publish right after that instant; if that revision is dated wrongly, docs/how-to/back-up-and-restore.md says what to do`,
    );
  }
  if (aheadMs > MAX_JUMP_MS && !session.findLastActivity)
    onClockJump(`${own} is ${formatSkew(aheadMs)} ${lastText}, the last one: is it right?`);
}

/**
 * The instant of a revision that is committed next. As-of reads of later instants wait for the
 * commit, and all that were answered before were of earlier ones, so that no answer changes.
 */
export async function takeInstant(
  session: Pick<WriteSession, 'readClock' | 'lockCommit'>,
  last: LastRevision,
  notBefore?: Date,
  signal?: AbortSignal,
): Promise<string> {
  const notBeforeMs = notBefore?.getTime() ?? 0;
  // Without the lock, which keeps readers waiting.
  if (notBefore) await waitUntil(notBeforeMs, { readClock: session.readClock, signal });
  await session.lockCommit();
  const clockMs = Math.max(await session.readClock(), notBeforeMs);
  const lastMs = last ? Date.parse(last.publishedAt) : 0;
  // Revisions follow each other within a millisecond. But if the clock is behind, it cannot tell
  // this revision from a lost one of its number, which clients tell apart by their instants.
  const isBehind = lastMs - clockMs > MAX_BEHIND_MS;
  const delayMs = isBehind ? Math.floor(system.random() * RANDOM_DELAY_MS) : 0;
  return formatInstant(Math.max(clockMs, lastMs + 1 + delayMs));
}

const MAX_BEHIND_MS = 10;
const RANDOM_DELAY_MS = 250;

function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

function formatSkew(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const time = minutes < 2 * 24 * 60 ? `${minutes} min` : `${Math.round(minutes / 1_440)} days`;
  return `${time} ${ms < 0 ? 'behind' : 'ahead of'}`;
}

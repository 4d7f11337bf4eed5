import { assertAccepted, followKeys, type LedgerKeys, openSignedNote } from './follow-keys.ts';
import { LedgerError } from './ledger-error.ts';
import {
  type Checkpoint,
  decodeBase64,
  encodeBase64,
  parseCheckpoint,
  parseVerifierKey,
} from './note.ts';
import type { OpenPath } from './open-path.ts';
import { readJson } from './read-json.ts';
import { createReadHash, type KnownTree, readTree } from './read-leaves.ts';
import { type Hash, hashSubtree, isSameHash, type ReadHash } from './tree.ts';
import { createAlarm, type Restart, VerificationError } from './verification-error.ts';

/** The outcome of the last verification: keep it, and give it to the next one. */
export interface VerifierState {
  readonly origin: string;
  readonly key: string;
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly verifiedAt: string;
  /** The keys that came before that one. */
  readonly earlierKeys: readonly string[];
  /** The hash of each revision in base64; empty if a copy of the log has them. */
  readonly leaves: readonly string[];
}

export interface VerifyLogOptions {
  /** The outcome of the last verification; without it there is nothing to compare the log with. */
  readonly state?: VerifierState | undefined;
  /** Whether to verify the log alone, and nothing that is in it. */
  readonly logOnly?: boolean | undefined;
  /** The hashes of a copy of the log, which takes the place of those of the state. */
  readonly readHash?: ReadHash | undefined;
  /** The verifier key that the publisher has made known; by default that of the state. */
  readonly key?: string | undefined;
  /** The name of a log that was begun again, if that is accepted. */
  readonly acceptRestart?: string | undefined;
}

export interface LogVerification {
  readonly origin: string;
  /** How many revisions the log has. */
  readonly size: number;
  /** The hash over all of them, in base64. */
  readonly root: string;
  readonly key: string;
  /** The size at the last verification, which the log was compared with; null if with none. */
  readonly previousSize: number | null;
  /** Whether the key is the one that the service itself named, compared with nothing. */
  readonly isKeyFirstSeen: boolean;
  /** Keys that took the place of the known one, each signed by the one before it. */
  readonly rotatedKeys: readonly string[];
  /** The accepted restart; null if there was none. */
  readonly restart: Restart | null;
  /** To be kept for the next verification. */
  readonly state: VerifierState;
}

/**
 * Verifies the log alone: its checkpoint is signed, it only grew since the last verification, and
 * its newest revision is in it. Throws a `VerificationError` otherwise.
 */
export async function verifyLog(
  open: OpenPath,
  options: VerifyLogOptions = {},
): Promise<LogVerification> {
  return (await verifyGrowth(open, { ...options, logOnly: true })).log;
}

interface VerifiedGrowth {
  readonly log: LogVerification;
  readonly readHash: ReadHash;
}

/** Verifies that the log only grew. */
export async function verifyGrowth(
  open: OpenPath,
  options: VerifyLogOptions,
): Promise<VerifiedGrowth> {
  try {
    return await compareLog(open, options);
  } catch (cause) {
    // The key may have been replaced between two requests.
    if (!(cause instanceof VerificationError)) throw cause;
    return compareLog(open, options);
  }
}

async function compareLog(open: OpenPath, options: VerifyLogOptions): Promise<VerifiedGrowth> {
  if (!globalThis.crypto?.subtle) {
    const message = 'signatures cannot be verified here: browsers do that on pages of https only';
    throw new LedgerError('unsupported', message);
  }
  const kept = await parseState(options);
  const note = await readNote(open);
  const listed = await readKeys(open);
  if (kept) await assertNotBehind(note, kept, listed, options);
  const followed = await openWithKnownKey(note, listed, options);
  const { key, checkpoint, rotatedKeys, restart } = followed;
  const previous = kept && (await selectComparable(kept, restart));
  if (previous) assertComparable(previous, checkpoint);
  // Otherwise the service must still have all tiles as they were.
  const known = options.logOnly ? previous : undefined;
  const readHash = await readTree(open, checkpoint, known);
  const { origin, size } = checkpoint;
  if (previous && !isSameHash(await hashSubtree(0, previous.size, readHash), previous.root)) {
    throw createAlarm(
      'rewritten',
      `The log of ${size} revisions does not begin with the ${previous.size} of the last verification: revisions that were published have been changed.`,
    );
  }
  const root = encodeBase64(checkpoint.root);
  const leaves: string[] = [];
  for (let index = 0; index < (options.readHash ? 0 : size); index += 1)
    leaves.push(encodeBase64(await readHash(0, index)));
  const state = {
    origin,
    key,
    size,
    root,
    checkpoint: note,
    verifiedAt: new Date().toISOString(),
    earlierKeys: listEarlierKeys(key, listed, options),
    leaves,
  };
  const log = {
    origin,
    size,
    root,
    key,
    previousSize: previous === kept && kept ? kept.size : null,
    isKeyFirstSeen: options.key === undefined && !options.state,
    rotatedKeys,
    restart,
    state,
  };
  return { log, readHash };
}

/** Those that the service lists, and those that it would list if no backup had been restored. */
function listEarlierKeys(current: string, { keys }: LedgerKeys, { state }: VerifyLogOptions) {
  const kept = state ? [...state.earlierKeys, state.key] : [];
  const all = new Set([...kept, ...keys.map(({ key }) => key)]);
  return [...all].filter((key) => key !== current);
}

/** The log as it was at the last verification. */
interface KeptLog extends KnownTree, Pick<Checkpoint, 'root'> {}

async function parseState(options: VerifyLogOptions): Promise<KeptLog | undefined> {
  const { state, key } = options;
  if (key !== undefined && !(await parseVerifierKey(key)))
    throw new TypeError('key must be a verifier key, such as name+12345678+AbCd…');
  if (!state) return undefined;
  const root = decodeBase64(String(state.root));
  const { name } = (await parseVerifierKey(String(state.key))) ?? {};
  const { size } = state;
  const leaves = [state.leaves].flat().map((text) => decodeBase64(String(text))) as Hash[];
  const isPlausible =
    [root, ...leaves].every((hash) => hash?.length === 32) &&
    leaves.length === (options.readHash ? 0 : size) &&
    Array.isArray(state.earlierKeys) &&
    name === state.origin;
  if (!root || !isPlausible || !Number.isInteger(size) || size <= 0) throw createStateError();
  const { readHash = createReadHash(leaves) } = options;
  return { size, root, readHash };
}

function createStateError(): TypeError {
  return new TypeError('state must be the one that an earlier verification returned');
}

/** A log that is as it was at an earlier size, or before its key was replaced, is no other history. */
async function assertNotBehind(
  note: string,
  kept: KeptLog,
  { keys }: LedgerKeys,
  { state, key }: VerifyLogOptions,
): Promise<void> {
  const { size, readHash } = kept;
  if (!state || (key && !key.startsWith(`${state.origin}+`))) return;
  // Who has the kept key signs with no earlier one.
  const hasKey = keys.some((listed) => listed.key === state.key);
  for (const known of [state.key, ...(hasKey ? [] : state.earlierKeys)]) {
    const checkpoint = await openCheckpoint(note, known);
    if (!checkpoint || checkpoint.size < 1 || checkpoint.size > size) continue;
    if (known === state.key && checkpoint.size === size) continue;
    if (!isSameHash(await hashSubtree(0, size, readHash), kept.root)) throw createStateError();
    if (!isSameHash(await hashSubtree(0, checkpoint.size, readHash), checkpoint.root)) continue;
    const message = `The server is behind: its log has ${checkpoint.size} revisions, the same as at the last verification, when it had ${size}. If that does not pass, a backup was restored: its publisher has to run tenor ledger restart before publishing.`;
    throw new LedgerError('behind', message);
  }
}

/** The part of the kept log that a log which was begun again has as well. */
async function selectComparable(kept: KeptLog, restart: Restart | null) {
  const { readHash } = kept;
  const { commonSize = kept.size } = restart ?? {};
  if (kept.size <= commonSize) return kept;
  if (commonSize === 0) return undefined;
  return { size: commonSize, root: await hashSubtree(0, commonSize, readHash), readHash };
}

/** All keys that have signed the log, as the service lists them. */
export async function readKeys(open: OpenPath): Promise<LedgerKeys> {
  const url = '/ledger/keys';
  const body = await readJson<{ data?: LedgerKeys }>(await open(url, 'application/json'));
  const { key, keys } = body?.data ?? {};
  if (body?.data && key && Array.isArray(keys) && keys.every(Boolean)) return body.data;
  throw new LedgerError('malformed', `${url} has no response of this service`, url);
}

async function openWithKnownKey(
  note: string,
  keys: LedgerKeys,
  { state, key: givenKey, acceptRestart }: VerifyLogOptions,
) {
  const knownKey = givenKey ?? state?.key ?? keys.key;
  const known = await openCheckpoint(note, knownKey);
  const followed = known
    ? { key: knownKey, rotatedKeys: [], restart: null }
    : await followKeys(knownKey, keys, state?.key);
  if (!followed) {
    throw createAlarm(
      'unknown-key',
      `The known key, ${knownKey}, has not led to the one that the log is signed with, ${keys.key}: it is the log of another publisher, or was replaced by one.`,
    );
  }
  const { key } = followed;
  const checkpoint = known ?? (await openCheckpoint(note, key));
  if (!checkpoint) throw createUnsignedAlarm(key);
  const { origin } = checkpoint;
  // A key that was given may be of another log than the kept one.
  const isOther = state !== undefined && state.origin !== origin;
  const unrelated = isOther ? { origin, commonSize: 0, isSigned: false } : null;
  const restart = followed.restart ?? unrelated;
  if (restart) assertAccepted(restart, acceptRestart);
  return { ...followed, restart, checkpoint };
}

/** A checkpoint that the key has signed; undefined otherwise. */
export async function openCheckpoint(
  note: string,
  keyText: string,
): Promise<Checkpoint | undefined> {
  const key = await parseVerifierKey(keyText);
  const text = key && (await openSignedNote(note, key));
  const checkpoint = text === undefined ? undefined : parseCheckpoint(text);
  return checkpoint?.origin === key?.name ? checkpoint : undefined;
}

function createUnsignedAlarm(key: string): VerificationError {
  return createAlarm('unsigned', `The checkpoint of the log is not signed with its key, ${key}.`);
}

function assertComparable({ size, root }: KeptLog, checkpoint: Checkpoint): void {
  if (checkpoint.size < size) {
    throw createAlarm(
      'shorter',
      `The log has ${checkpoint.size} revisions, but had ${size} at the last verification: revisions that were published are gone.`,
    );
  }
  if (checkpoint.size === size && !isSameHash(checkpoint.root, root)) {
    throw createAlarm(
      'forked',
      `The log has ${size} revisions as it had at the last verification, but others: someone is shown another history than you.`,
    );
  }
}

async function readNote(open: OpenPath): Promise<string> {
  try {
    return await (await open('/ledger/checkpoint', 'text/plain')).text();
  } catch (cause) {
    if ((cause as { status?: unknown }).status !== 404) throw cause;
    throw createAlarm(
      'no-log',
      'There is no log at this address: a service gets one with its next publication, and its release may be older than logs are.',
    );
  }
}

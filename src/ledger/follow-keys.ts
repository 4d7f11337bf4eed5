import { LedgerError } from './ledger-error.ts';
import { openNote, parseVerifierKey, type VerifierKey } from './note.ts';
import { createAlarm, type Restart } from './verification-error.ts';

/** The response to `/ledger/keys`: the keys of the log, oldest first. */
export interface LedgerKeys {
  readonly origin: string;
  readonly key: string;
  readonly keys: readonly {
    readonly key: string;
    readonly size: number;
    readonly note: string | null;
  }[];
}

/** The newest key that a known one leads to, and how. */
export interface FollowedKeys {
  readonly key: string;
  /** The keys that took the place of others of the same log. */
  readonly rotatedKeys: readonly string[];
  readonly restart: Restart | null;
}

/** Follows keys from a known one, perhaps by the kept one: each must be signed by the one before it. */
export async function followKeys(
  knownKey: string,
  { keys }: LedgerKeys,
  keptKey?: string,
): Promise<FollowedKeys | undefined> {
  let current = await parseVerifierKey(knownKey);
  const start = current && (await findSuccessor(current, knownKey, keys));
  if (start === undefined) return undefined;
  const rotatedKeys: string[] = [];
  let restart: Restart | null = null;
  for (const listed of keys.slice(start)) {
    const { key, size, note } = listed;
    const next = await parseVerifierKey(key);
    if (!current || !next) return undefined;
    const isSigned = await isSignedBy(current, listed);
    const isRestart = next.name !== current.name;
    // Only a lost key signs nothing; a signature that does not fit counts as missing.
    if (!isSigned && !(isRestart && note === null)) return undefined;
    // A restart that led to the kept key was accepted then; a name alone is anyone’s.
    if (key === keptKey) restart = null;
    else if (isRestart)
      restart = combineRestarts(restart, { origin: next.name, commonSize: size, isSigned });
    if (!isRestart) rotatedKeys.push(key);
    current = next;
  }
  return { key: keys.at(-1)?.key ?? knownKey, rotatedKeys, restart };
}

type ListedKey = LedgerKeys['keys'][number];

/** The position of the key that came after a known one. */
async function findSuccessor(known: VerifierKey, text: string, keys: LedgerKeys['keys']) {
  const position = keys.findIndex(({ key }) => key === text);
  if (position >= 0) return position + 1;
  // A restored backup does not list keys of later, but one of them may have signed its restart.
  for (const [index, listed] of keys.entries()) if (await isSignedBy(known, listed)) return index;
  return undefined;
}

/** Whether a key has signed that another one takes its place. */
async function isSignedBy(signer: VerifierKey, { key, size, note }: ListedKey): Promise<boolean> {
  const text = note === null ? undefined : await openSignedNote(note, signer);
  return text === `tenor ledger key\n${key}\n${size}\n`;
}

function combineRestarts(earlier: Restart | null, later: Restart): Restart {
  if (!earlier) return later;
  return {
    origin: later.origin,
    commonSize: Math.min(earlier.commonSize, later.commonSize),
    isSigned: earlier.isSigned && later.isSigned,
  };
}

/** A restart stops every verifier until a person accepts it. */
export function assertAccepted(restart: Restart, accepted?: string): void {
  const { origin, commonSize, isSigned } = restart;
  if (accepted === origin) return;
  const signer = isSigned
    ? 'The key of the earlier log has signed that'
    : 'No key of the earlier log has signed that, so it may be anyone’s';
  throw createAlarm(
    'restarted',
    `The log was begun again as ${origin}, with only the first ${commonSize} revisions of the earlier one. ${signer}. If the publisher gives a good reason, accept it with --accept-restart ${origin} (acceptRestart).`,
    { restart },
  );
}

/** The text of a note; undefined if the key has not signed it. */
export async function openSignedNote(note: string, key: VerifierKey): Promise<string | undefined> {
  try {
    return await openNote(note, key);
  } catch (cause) {
    // Bytes that are no key.
    if ((cause as Error).name === 'DataError') return undefined;
    const message = 'signatures cannot be verified here: this runtime or browser has no Ed25519';
    throw new LedgerError('unsupported', message, '', { cause });
  }
}

import { catalogue } from '../catalogue/index.ts';
import type { EmitEvent } from '../event-log.ts';
import { ReleaseDesk } from '../publish/desk/release-desk.ts';
import { withReview } from '../publish/desk/with-review.ts';
import { GuardError } from '../publish/errors.ts';
import { withRelease } from '../publish/with-release.ts';
import { getFileVariable, SETTINGS, type Settings } from '../settings.ts';
import { findControlCharacter } from '../shared/control-characters.ts';
import { parseDuration } from '../shared/duration.ts';
import {
  type CandidateStore,
  ClockSkewError,
  LockConflictError,
  type LockWaitOptions,
  type OnSchemaChange,
  openStore,
  type Publisher,
  type Store,
  StoreBusyError,
  StoreMissingError,
  type StoreOpenOptions,
  type StorePreparation,
  type StoreReader,
} from '../store/open-store.ts';
import { retryWhileBusy } from '../store/retry-while-busy.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';
import { printNote } from './output.ts';

/** Runs a callback with a publisher, which waits for the write lock for as long as `--wait` allows. */
export async function withPublisher<T>(
  call: CommandCall,
  callback: (publisher: Publisher) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const note = parseNote(call);
  const use = async (publisher: Publisher, candidates: CandidateStore) => {
    const described = note === undefined ? publisher : withRelease(publisher, { note });
    const isDryRun = call.options['dry-run'] === true;
    return callback(isDryRun ? described : withReview(described, candidates));
  };
  return withCandidates(call, use, signal);
}

/** The same with candidates, whose publication needs no other review than their own. */
export async function withDesk<T>(
  call: CommandCall,
  callback: (desk: ReleaseDesk, store: Store) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const use = (publisher: Publisher, candidates: CandidateStore, store: Store) =>
    callback(new ReleaseDesk(publisher, candidates), store);
  return withCandidates(call, use, signal);
}

async function withCandidates<T>(
  call: CommandCall,
  callback: (publisher: Publisher, candidates: CandidateStore, store: Store) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { follow } = call.settings();
  if (follow)
    throw new CommandError(
      `nothing was published: this database follows ${follow} (FOLLOW) and receives what is published there`,
    );
  const { wait } = call.options;
  const waitMs = wait === undefined ? undefined : parseDuration(String(wait));
  if (wait !== undefined && waitMs === undefined)
    throw new UsageError('--wait must be a time such as 30s or 10min');
  const clockSkew = call.options['clock-skew'];
  if (clockSkew !== undefined && clockSkew !== 'allow')
    throw new UsageError('--clock-skew must be allow');
  const lockWait = createLockWaitOptions(waitMs, signal);
  const allowsClockSkew = clockSkew === 'allow';
  const ledgerName = call.settings().ledgerName || undefined;
  const notes = { onClockJump: printNote, onRestored: printNote };
  const publishOptions = { ...lockWait, ...notes, allowsClockSkew, ledgerName };
  try {
    const options = { preparation: getPreparation(call), lockWait };
    const store = await openConfiguredStore(call.settings(), options);
    const candidates = store.candidates();
    return await closeAfter(candidates, () =>
      closeAfter(store.publisher(publishOptions), (publisher) =>
        callback(publisher, candidates, store),
      ),
    );
  } catch (cause) {
    if (cause instanceof ClockSkewError) throw new GuardError('clock-skew', cause.message);
    if (!(cause instanceof StoreBusyError)) throw cause;
    throw new CommandError(`${cause.message}; nothing was published`, false, 5, { cause });
  }
}

const MAX_NOTE_LENGTH = 2_000;

/** The text of `--note`; control characters but line breaks could change what a terminal shows. */
export function parseNote({ options: { note } }: CommandCall): string | undefined {
  if (note === undefined) return undefined;
  const text = String(note).trim();
  if (text === '' || findControlCharacter(text.replaceAll('\n', ' ')))
    throw new UsageError('--note must be text without control characters other than line breaks');
  const { length } = [...text];
  if (length > MAX_NOTE_LENGTH)
    throw new UsageError(
      `--note must have at most ${MAX_NOTE_LENGTH} characters, and this one has ${length}`,
    );
  return text;
}

/** Publishing commands create a database only with --create, and never migrate one. */
function getPreparation({ options }: CommandCall): StorePreparation {
  if (!options.create) return 'none';
  const other = ['dry-run', 'at'].find((option) => options[option]);
  if (other)
    throw new UsageError(`--create and --${other} cannot be combined; run tenor migrate first`);
  return 'create';
}

export async function withReader<T>(
  call: CommandCall,
  callback: (reader: StoreReader, store: Store) => Promise<T>,
): Promise<T> {
  const store = await openConfiguredStore(call.settings(), { preparation: 'none' });
  return closeAfter(store.reader(), (reader) => callback(reader, store));
}

/** Runs a callback, then closes the resource, even if the callback throws. */
export async function closeAfter<R extends { close(): void }, T>(
  resource: R,
  callback: (resource: R) => Promise<T>,
): Promise<T> {
  try {
    return await callback(resource);
  } finally {
    resource.close();
  }
}

interface OpenOptions {
  readonly preparation: StorePreparation;
  readonly lockWait?: LockWaitOptions;
  /** By default, prints a note. */
  readonly onSchemaChange?: OnSchemaChange;
  /** Logs the health of database servers. */
  readonly emit?: EmitEvent;
}

/** Opens the configured store. It waits for the write lock only to migrate the schema. */
export function openConfiguredStore(
  settings: Settings,
  {
    preparation,
    lockWait = createLockWaitOptions(),
    onSchemaChange = printSchemaChange,
    emit,
  }: OpenOptions,
): Promise<Store> {
  const options = { ...getConnectionOptions(settings, emit), preparation, onSchemaChange };
  return explainMissingStore(settings, () =>
    retryWhileBusy(lockWait, () => openStore(settings.databaseUrl, catalogue, options)),
  );
}

export const printSchemaChange: OnSchemaChange = ({ database, from, to }) => {
  if (from === null) printNote(`created the database ${database}`);
  else if (from === to) printNote(`repaired the schema of the database ${database}`);
  else printNote(`migrated the database ${database} from schema ${from} to ${to}`);
};

/** Explains a missing database: the setting that points to it, and the commands that create one. */
export async function explainMissingStore<T>(
  { databaseUrl }: Settings,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (!(cause instanceof StoreMissingError)) throw cause;
    const { variable } = SETTINGS.databaseUrl;
    const isDefault = !process.env[variable] && !process.env[getFileVariable(variable)];
    const origin = isDefault ? `${variable} is not set, and its default` : variable;
    const isRelative = /^sqlite:(?!\/)/.test(databaseUrl);
    const path = isRelative ? `, ${databaseUrl} from the working directory,` : '';
    throw new StoreMissingError(
      `${cause.message} (${origin}${path} points there); set ${variable}, or create one with tenor serve, tenor migrate or tenor load --create`,
      { cause },
    );
  }
}

export function getConnectionOptions(
  { databaseReplicas, databasePool }: Settings,
  emit?: EmitEvent,
): StoreOpenOptions {
  return {
    replicas: databaseReplicas,
    poolSize: databasePool,
    ...(emit && {
      onHealthChange: (server, condition, cause) =>
        emit({ event: 'server.found', server, condition, ...(cause && { cause }) }),
    }),
  };
}

const WAITING_NOTE = 'waiting for another publisher to finish';
const DEFAULT_LOCK_WAIT_MS = 600_000;

/** Options for waiting for the write lock; the wait is noted once, on standard error. */
export function createLockWaitOptions(
  waitMs = DEFAULT_LOCK_WAIT_MS,
  signal?: AbortSignal,
): LockWaitOptions {
  let isReported = false;
  const onWait = (cause: StoreBusyError) => {
    const isConflict = cause instanceof LockConflictError;
    const note = isConflict ? `${cause.message}; retrying` : WAITING_NOTE;
    if (!isReported) printNote(note);
    isReported = true;
  };
  return { waitMs, onWait, ...(signal && { signal }) };
}

import { catalogue } from '../../catalogue/index.ts';
import type { EmitEvent } from '../../event-log.ts';
import { createEventLog } from '../../event-log.ts';
import type { RunningServer } from '../../http/listen.ts';
import { startServer } from '../../http/start-server.ts';
import { publishRecords } from '../../publish/publish-records.ts';
import { createSamplePublications } from '../../sample/sample-publications.ts';
import type { Settings } from '../../settings.ts';
import type {
  LockWaitOptions,
  PublishTransaction,
  Store,
  StoreReader,
} from '../../store/open-store.ts';
import { StoreUnavailableError, StoreUnusableError } from '../../store/open-store.ts';
import { ensureLocalToken } from '../../tokens/local-token.ts';
import { VERSION } from '../../version.ts';
import type { Command } from '../command.ts';
import { CommandError, printLine } from '../command.ts';
import { flushStderr } from '../flush-stderr.ts';
import { createLockWaitOptions, openConfiguredStore, openTokenStore } from '../open-store.ts';
import { startWorkers } from '../workers/supervisor.ts';

/** Serves until it is told to stop. */
export const serveCommand: Command = {
  usage: 'serve',
  summary: 'Serve the data; the settings come from the environment',
  options: {},
  async run(call) {
    const settings = call.settings();
    const lockWait = createLockWaitOptions();
    const log = createEventLog(process.stderr);
    const store = await openConfiguredStore(settings, lockWait, log.emit);
    const { listening, stopped } = await startAndGreet(store, settings, lockWait, log.emit);
    const signal = await stopped;
    log.emit({ event: 'service.stopping', signal });
    await listening.stop();
    log.flush();
    await flushStderr();
    process.exit(0);
  },
};

/** Gets everything ready, serves, and says so. */
async function startAndGreet(
  store: Store,
  settings: Settings,
  lockWait: LockWaitOptions,
  emit: EmitEvent,
) {
  // Open until it serves: a store that is reached over a network is reached once, not for each step.
  const reader = store.reader();
  try {
    const origin = await ensureSampleData(store, reader, settings, lockWait);
    const access = settings.apiToken
      ? ENVIRONMENT_TOKEN_NOTICE
      : await getLocalTokenNotice(store, lockWait);
    // From here on a signal stops it in order: whoever sees the greeting may send one.
    const stopped = waitForStopSignal();
    const starting =
      settings.workers === 1
        ? startServer({ store, catalogue, settings, emit })
        : startWorkers(settings, emit);
    const listening = await starting.catch((cause) => {
      throw toListenError(cause, settings);
    });
    printLine(formatGreeting(listening, access, origin));
    return { listening, stopped };
  } finally {
    reader.close();
  }
}

/** What is to be said about where the data comes from. */
type DataOrigin = 'sample' | 'mixed' | 'own';

/** Fills an empty database with the sample, if that is wanted. */
async function ensureSampleData(
  store: Store,
  reader: StoreReader,
  { sampleData }: Settings,
  lockWait: LockWaitOptions,
): Promise<DataOrigin> {
  if (sampleData && (await hasNoRevisions(reader))) await publishSample(store, lockWait);
  const revisions = await reader.revisions();
  if (!revisions.some(({ sample }) => sample)) return 'own';
  return revisions.every(({ sample }) => sample) ? 'sample' : 'mixed';
}

async function publishSample(store: Store, lockWait: LockWaitOptions): Promise<void> {
  const publisher = store.publisher(lockWait);
  try {
    // All at once: a first start that is killed leaves the database empty, not half full.
    await publisher.transaction(async (transaction) => {
      if (!(await hasNoRevisions(transaction))) return;
      for (const publication of createSamplePublications())
        await publishRecords(transaction, publication);
    });
  } catch (cause) {
    if (!(cause instanceof StoreUnusableError)) throw cause;
    const why = `the database is empty, and cannot be filled with the sample (${cause.message})`;
    throw new CommandError(`${why}; load data into it, or set SAMPLE_DATA=off`);
  } finally {
    publisher.close();
  }
}

async function hasNoRevisions(within: Pick<PublishTransaction, 'revisions'>): Promise<boolean> {
  return (await within.revisions({ limit: 1 })).length === 0;
}

interface TokenNotice {
  /** How the token stands in a shell command. */
  readonly credential: string;
  readonly message: string;
  /** The token, where it may be shown: a link with it signs in. */
  readonly secret?: string;
}

const ENVIRONMENT_TOKEN_NOTICE: TokenNotice = {
  credential: '$API_TOKEN',
  message: 'Token: the one in API_TOKEN',
};

const ISSUED_TOKEN_NOTICE: TokenNotice = {
  credential: '<token>',
  message: 'Token: one that was issued (tenor token create)',
};

async function getLocalTokenNotice(store: Store, lockWait: LockWaitOptions): Promise<TokenNotice> {
  const file = store.localTokenFile;
  const tokens = openTokenStore(store, lockWait);
  try {
    const secret = await ensureLocalToken(tokens, file);
    if (secret) {
      return { credential: secret, message: `Token: ${secret}\n       (kept in ${file})`, secret };
    }
    const told = `Token: the local one is revoked; remove ${file} for another, or see tenor token create`;
    return { credential: '<token>', message: told };
  } catch (cause) {
    // A server that may only read, or whose primary is away, still serves whoever has a token.
    if (cause instanceof StoreUnusableError || cause instanceof StoreUnavailableError)
      return ISSUED_TOKEN_NOTICE;
    if (!(cause as NodeJS.ErrnoException).syscall) throw cause;
    throw new CommandError(`cannot keep the local token in ${file}: ${(cause as Error).message}`);
  } finally {
    tokens.close();
  }
}

const ORIGIN_NOTICES: Record<DataOrigin, readonly string[]> = {
  sample: ['The data is made up: a sample market to try the service with.'],
  mixed: ['Some of the data is made up: a sample was published before what was loaded.'],
  own: [],
};

function formatGreeting(
  { address }: RunningServer,
  access: TokenNotice,
  origin: DataOrigin,
): string {
  const { credential, message, secret } = access;
  // What stands behind # is for the browser alone: it is never sent.
  const signingIn = secret === undefined ? '' : `#token=${encodeURIComponent(secret)}`;
  const curl = `curl -H "Authorization: Bearer ${credential}" "${address}/2.0/bnb/quote?limit=5"`;
  return [
    `Tenor ${VERSION} serves at ${address}`,
    ...ORIGIN_NOTICES[origin],
    '',
    message,
    `Look:  ${address}/${signingIn}`,
    `Try:   ${curl}`,
    `Docs:  ${address}/docs`,
    `API:   ${address}/openapi.json`,
    '',
  ].join('\n');
}

function toListenError(cause: NodeJS.ErrnoException, { host, port }: Settings): Error {
  if (cause.code === 'EADDRINUSE') {
    return new CommandError(
      `port ${port} on ${host} is in use; set PORT to another, or 0 for any free one`,
    );
  }
  if (!cause.code?.startsWith('E')) return cause;
  return new CommandError(
    `cannot listen on port ${port} of ${host} (${cause.code}); see HOST and PORT`,
  );
}

/** A second signal changes nothing: npm passes on what the terminal has sent already. */
function waitForStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
  });
}

import { catalogue } from '../../catalogue/index.ts';
import { type EmitEvent, EventLog, type LogEvent } from '../../event-log.ts';
import { startFollowing } from '../../follow/start-following.ts';
import type { AdminServer } from '../../http/monitoring/admin-server.ts';
import { DRAIN_QUIET_MS, type RunningServer } from '../../http/server/listen.ts';
import { startServer } from '../../http/server/start-server.ts';
import { publishSample } from '../../sample/publish-sample.ts';
import type { Settings } from '../../settings.ts';
import { isJournalStream } from '../../shared/is-journal-stream.ts';
import {
  type LockWaitOptions,
  type Publisher,
  type PublisherOptions,
  type PublishTransaction,
  type SchemaChange,
  type Store,
  type StoreMigratedError,
  type StoreReader,
  StoreUnusableError,
} from '../../store/open-store.ts';
import { COMMIT, VERSION } from '../../version.ts';
import { checkServerSettings } from '../check-server-settings.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { formatGreeting, getLocalTokenNotice, type TokenNotice } from '../greeting.ts';
import { openAdminServer, toListenError } from '../open-admin-server.ts';
import { explainLostOutput, flushStderr, printNote, printOrThrow } from '../output.ts';
import { listStopSignals } from '../stop-signals.ts';
import { closeAfter, createLockWaitOptions, openConfiguredStore } from '../with-store.ts';
import { claimPort } from '../workers/claim-port.ts';
import { startWorkers } from '../workers/start-workers.ts';
import { formatAllSettings } from './settings.ts';

export const serveCommand: Command = {
  usage: 'serve [--accept-restart ORIGIN]',
  summary: 'Run the HTTP server, with settings from the environment',
  options: {
    'accept-restart': {
      placeholder: 'ORIGIN',
      help: 'Accept that the log of the server in FOLLOW was restarted under this name',
    },
  },
  async run(call) {
    const settings = call.settings();
    const [acceptRestart] = call.getAll('accept-restart');
    if (acceptRestart !== undefined && !settings.follow)
      throw new UsageError('--accept-restart is for a server that follows another one: set FOLLOW');
    const tokenWarning = checkServerSettings(settings);
    if (tokenWarning) printNote(tokenWarning);
    const log = new EventLog(process.stderr, settings.logFormat, isJournalStream(2));
    log.flushAtExit();
    const admin = openAdminServer(settings, log);
    let migration: StoreMigratedError | undefined;
    try {
      migration = await serveUntilEnd(settings, log, admin, acceptRestart);
    } finally {
      // Its open port would keep the process alive.
      await admin?.stop();
    }
    log.flush();
    await flushStderr();
    // Exits with a failure, so that a supervisor restarts the service, in the newer version.
    process.exit(migration ? 1 : 0);
  },
};

/**
 * Serves until a signal arrives, or until a newer Tenor has migrated the database; returns that migration.
 */
async function serveUntilEnd(
  settings: Settings,
  log: EventLog,
  admin: AdminServer | undefined,
  acceptRestart: string | undefined,
) {
  const lockWait = createLockWaitOptions();
  let creation: SchemaChange | undefined;
  const store = await openConfiguredStore(settings, {
    preparation: 'migrate',
    lockWait,
    emit: log.emit,
    onSchemaChange: (change) => {
      // An invalid setting must stop a first start with a single line, so the creation is logged later.
      if (change.from === null) creation = change;
      else log.emit({ event: 'store.prepared', ...change });
    },
  });
  const { server, stopSignal } = await startAndGreet(store, settings, lockWait, log.emit);
  admin?.watch(server.monitor);
  const stopFollowing =
    settings.follow &&
    startFollowing({
      ...{ settings, store, acceptRestart },
      emit: log.emit,
      onStatus: server.setFollowStatus,
    });
  if (creation) log.emit({ event: 'store.prepared', ...creation });
  log.emit(describeService(store));
  notifySystemd();
  const end = await Promise.race([stopSignal, server.migration]);
  if (typeof end === 'string') {
    log.emit({ event: 'service.stopping', signal: end });
    await drain(server, settings);
  }
  if (stopFollowing) stopFollowing();
  await server.stop();
  return typeof end === 'string' ? undefined : end;
}

function describeService({ schema: { engine, version: schema } }: Store): LogEvent {
  return {
    event: 'service.configured',
    version: VERSION,
    ...(COMMIT !== undefined && { commit: COMMIT }),
    bun: Bun.version,
    pid: process.pid,
    engine,
    schema,
    settings: formatAllSettings(),
  };
}

/** Publishes the sample if needed, starts the server, and prints its URL and token. */
async function startAndGreet(
  store: Store,
  settings: Settings,
  lockWait: LockWaitOptions,
  emit: EmitEvent,
) {
  // Stays open until the server runs, so that a remote store is connected to only once.
  const reader = store.reader();
  try {
    const sampleNotice = await ensureSampleData(store, reader, settings, lockWait);
    const token: TokenNotice = settings.apiToken
      ? { credential: '$API_TOKEN', message: 'Token: from API_TOKEN' }
      : await getLocalTokenNotice(store);
    await closeAfter(store.tokens(), async (tokens) => tokens.recordServerStart?.());
    // Registered before the greeting, because its reader may send a signal at once.
    const stopSignal = waitForStopSignal();
    const starting =
      settings.workers === 1
        ? startSingleServer(store, settings, emit)
        : startWorkers(settings, emit);
    const server = await starting.catch((cause) => {
      throw toListenError(cause, settings);
    });
    // The server serves whether or not its greeting can be written.
    printOrThrow(formatGreeting(server, token, sampleNotice)).catch((cause) =>
      printNote(`the server runs, ${explainLostOutput(cause)}`),
    );
    return { server, stopSignal };
  } finally {
    reader.close();
  }
}

async function startSingleServer(store: Store, settings: Settings, emit: EmitEvent) {
  // A server with TLS shares its port with its successor that uses the next certificate.
  const releasePort = settings.tlsCert === '' ? undefined : claimPort(settings.host, settings.port);
  const options = { store, catalogue, settings, emit, drainQuietMs: DRAIN_QUIET_MS };
  return startServer(options).catch((cause) => {
    releasePort?.();
    throw cause;
  });
}

/** Publishes the sample in an empty database, if the settings say so; returns a notice about it. */
async function ensureSampleData(
  store: Store,
  reader: StoreReader,
  { sampleData, ledgerName, follow }: Settings,
  lockWait: LockWaitOptions,
): Promise<string[]> {
  if (sampleData && follow === '' && (await hasNoRevisions(reader)))
    await fillWithSample(store, { ...lockWait, ledgerName: ledgerName || undefined });
  const revisions = await reader.revisions();
  if (revisions.length === 0) return follow === '' ? EMPTY_NOTICE : [`Following ${follow}`];
  if (!revisions.some(({ sample }) => sample)) return [];
  return revisions.every(({ sample }) => sample)
    ? ['This is sample data: no security, fund or figure in it is real.']
    : ['The database holds sample data as well as loaded data.'];
}

const EMPTY_NOTICE = [
  'The database is empty. To publish data: tenor load quotes FILE (npx tenor in a clone)',
  '(tenor help load lists the datasets and options)',
];

async function fillWithSample(store: Store, options: PublisherOptions): Promise<void> {
  // In one transaction, so that a first start that is killed leaves the database empty.
  const publish = (publisher: Publisher) =>
    publisher.transaction(async (transaction) => {
      if (await hasNoRevisions(transaction)) await publishSample(transaction);
    });
  try {
    await closeAfter(store.publisher(options), publish);
  } catch (cause) {
    if (!(cause instanceof StoreUnusableError)) throw cause;
    throw new CommandError(
      `the database is empty, and the sample cannot be published (${cause.message}); load data, or set SAMPLE_DATA=off`,
    );
  }
}

async function hasNoRevisions(store: Pick<PublishTransaction, 'revisions'>): Promise<boolean> {
  return (await store.revisions({ limit: 1 })).length === 0;
}

/** Waits for the first signal; later ones have no effect, because npm repeats those of the terminal. */
function waitForStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of listStopSignals()) process.on(signal, resolve);
  });
}

/** A signal that arrives sooner after the first one is a repetition. */
const REPEATED_SIGNAL_MS = 1_000;

/** Gives load balancers time to switch to other servers; another signal ends the wait. */
async function drain(server: RunningServer, { drainSeconds }: Settings): Promise<void> {
  if (drainSeconds === 0) return;
  server.startDraining();
  const secondSignal = Bun.sleep(REPEATED_SIGNAL_MS).then(waitForStopSignal);
  await Promise.race([Bun.sleep(drainSeconds * 1_000), secondSignal]);
}

/** Tells systemd that the service is ready, if it waits for that message (`Type=notify`). */
async function notifySystemd(): Promise<void> {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    // Bun has no such datagram sockets, and every system with systemd has this program.
    const { exited } = Bun.spawn(['systemd-notify', '--ready'], { stdout: 'ignore' });
    const status = await exited;
    if (status !== 0) printNote(`systemd-notify failed with exit status ${status}`);
  } catch (cause) {
    printNote(`cannot tell systemd that the service is ready: ${(cause as Error).message}`);
  }
}

import { catalogue } from '../catalogue/index.ts';
import type { Emit } from '../events.ts';
import { eventLog } from '../events.ts';
import type { Listening } from '../http/serve.ts';
import { startService } from '../http/service.ts';
import { publish } from '../publish/publish.ts';
import { samplePublications } from '../sample/index.ts';
import type { Settings } from '../settings.ts';
import type { Patience, Reader, Store, Within } from '../store/index.ts';
import { StoreRefused, StoreUnavailable } from '../store/index.ts';
import { localToken } from '../tokens/local.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { print, Refused } from './command.ts';
import { standardErrorOut } from './stderr.ts';
import { opened, patience, waitingTokens } from './waiting.ts';
import { startWorkers } from './workers/supervisor.ts';

/** Serves until it is told to stop. */
export const serve: Command = {
  usage: 'serve',
  summary: 'Serve the data; the settings come from the environment',
  options: {},
  async run(call) {
    const settings = call.settings();
    const how = patience();
    const log = eventLog(process.stderr);
    const store = await opened(settings, how, log.emit);
    const { listening, stopped } = await begun(store, settings, how, log.emit);
    const signal = await stopped;
    log.emit({ event: 'service.stopping', signal });
    await listening.stop();
    log.flush();
    await standardErrorOut();
    process.exit(0);
  },
};

/** Gets everything ready, serves, and says so. */
async function begun(store: Store, settings: Settings, how: Patience, emit: Emit) {
  // Open until it serves: a store that is reached over a network is reached once, not for each step.
  const reader = store.reader();
  try {
    const origin = await fill(store, reader, settings, how);
    const access = settings.apiToken ? FROM_ENVIRONMENT : await localAccess(store, how);
    // From here on a signal stops it in order: whoever sees the greeting may send one.
    const stopped = stopSignal();
    const starting =
      settings.workers === 1
        ? startService(store, catalogue, settings, emit)
        : startWorkers(settings, emit);
    const listening = await starting.catch((cause) => {
      throw cannotListen(cause, settings);
    });
    print(greeting(listening, access, origin));
    return { listening, stopped };
  } finally {
    reader.close();
  }
}

/** What is to be said about where the data comes from. */
type Origin = 'sample' | 'mixed' | 'own';

/** Fills an empty database with the sample, if that is wanted. */
async function fill(
  store: Store,
  reader: Reader,
  { sampleData }: Settings,
  how: Patience,
): Promise<Origin> {
  if (sampleData && (await isEmpty(reader))) await publishSample(store, how);
  const revisions = await reader.revisions();
  if (!revisions.some(({ sample }) => sample)) return 'own';
  return revisions.every(({ sample }) => sample) ? 'sample' : 'mixed';
}

async function publishSample(store: Store, how: Patience): Promise<void> {
  const publisher = store.publisher(how);
  try {
    // All at once: a first start that is killed leaves the database empty, not half full.
    await publisher.atomically(async (within) => {
      if (!(await isEmpty(within))) return;
      for (const publication of samplePublications()) await publish(within, publication);
    });
  } catch (cause) {
    if (!(cause instanceof StoreRefused)) throw cause;
    const why = `the database is empty, and cannot be filled with the sample (${cause.message})`;
    throw new Refused(`${why}; load data into it, or set SAMPLE_DATA=off`);
  } finally {
    publisher.close();
  }
}

async function isEmpty(within: Pick<Within, 'revisions'>): Promise<boolean> {
  return (await within.revisions({ limit: 1 })).length === 0;
}

interface Access {
  /** How the token stands in a shell command. */
  readonly credential: string;
  readonly told: string;
  /** The token, where it may be shown: a link with it signs in. */
  readonly secret?: string;
}

const FROM_ENVIRONMENT: Access = {
  credential: '$API_TOKEN',
  told: 'Token: the one in API_TOKEN',
};

const ISSUED: Access = {
  credential: '<token>',
  told: 'Token: one that was issued (tenor token create)',
};

async function localAccess(store: Store, how: Patience): Promise<Access> {
  const file = store.localTokenFile;
  const tokens = waitingTokens(store, how);
  try {
    const secret = await localToken(tokens, file);
    if (secret) {
      return { credential: secret, told: `Token: ${secret}\n       (kept in ${file})`, secret };
    }
    const told = `Token: the local one is revoked; remove ${file} for another, or see tenor token create`;
    return { credential: '<token>', told };
  } catch (cause) {
    // A server that may only read, or whose primary is away, still serves whoever has a token.
    if (cause instanceof StoreRefused || cause instanceof StoreUnavailable) return ISSUED;
    if (!(cause as NodeJS.ErrnoException).syscall) throw cause;
    throw new Refused(`cannot keep the local token in ${file}: ${(cause as Error).message}`);
  } finally {
    tokens.close();
  }
}

const ORIGINS: Record<Origin, readonly string[]> = {
  sample: ['The data is made up: a sample market to try the service with.'],
  mixed: ['Some of the data is made up: a sample was published before what was loaded.'],
  own: [],
};

function greeting({ address }: Listening, access: Access, origin: Origin): string {
  const { credential, told, secret } = access;
  // What stands behind # is for the browser alone: it is never sent.
  const signingIn = secret === undefined ? '' : `#token=${encodeURIComponent(secret)}`;
  const curl = `curl -H "Authorization: Bearer ${credential}" "${address}/2.0/bnb/quote?limit=5"`;
  return [
    `Tenor ${VERSION} serves at ${address}`,
    ...ORIGINS[origin],
    '',
    told,
    `Look:  ${address}/${signingIn}`,
    `Try:   ${curl}`,
    `Docs:  ${address}/docs`,
    `API:   ${address}/openapi.json`,
    '',
  ].join('\n');
}

function cannotListen(cause: NodeJS.ErrnoException, { host, port }: Settings): Error {
  if (cause.code === 'EADDRINUSE') {
    return new Refused(
      `port ${port} on ${host} is in use; set PORT to another, or 0 for any free one`,
    );
  }
  if (!cause.code?.startsWith('E')) return cause;
  return new Refused(`cannot listen on port ${port} of ${host} (${cause.code}); see HOST and PORT`);
}

/** A second signal changes nothing: npm passes on what the terminal has sent already. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
  });
}

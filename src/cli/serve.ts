import { catalogue } from '../catalogue/index.ts';
import { eventLog } from '../events.ts';
import type { Listening } from '../http/serve.ts';
import { startService } from '../http/service.ts';
import { publish } from '../publish/publish.ts';
import { samplePublications } from '../sample/index.ts';
import type { Settings } from '../settings.ts';
import type { Publisher, Store } from '../store/index.ts';
import { openStore } from '../store/index.ts';
import { localToken } from '../tokens/local.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { print, Refused, WrongUse } from './command.ts';

/** Serves until it is told to stop. */
export const serve: Command = {
  usage: 'serve',
  summary: 'Serve the data; the settings come from the environment',
  options: {},
  async run({ words, settings }) {
    if (words.length > 0) throw new WrongUse(`"${words[0]}" is not expected here`);
    const store = openStore(settings.databaseUrl, catalogue);
    const isSample = await fill(store, settings);
    const access = settings.apiToken ? FROM_ENVIRONMENT : await localAccess(store);
    const log = eventLog(process.stderr);
    const listening = await startService(store, catalogue, settings, log.emit).catch(portTaken);
    print(greeting(listening, access, isSample));

    const signal = await stopSignal();
    log.emit({ event: 'service.stopping', signal });
    await listening.stop();
    log.flush();
    process.exit(0);
  },
};

/** Fills an empty database with the sample, if that is wanted; true where the data is made up. */
async function fill(store: Store, { sampleData }: Settings): Promise<boolean> {
  const publisher = store.publisher();
  try {
    if (sampleData && (await isEmpty(publisher))) {
      // All at once: a first start that is killed leaves the database empty, not half full.
      await publisher.atomically(async () => {
        if (!(await isEmpty(publisher))) return;
        for (const publication of samplePublications()) await publish(publisher, publication);
      });
    }
    return (await publisher.revisions()).some(({ sample }) => sample);
  } finally {
    publisher.close();
  }
}

async function isEmpty(publisher: Publisher): Promise<boolean> {
  return (await publisher.revisions()).length === 0;
}

interface Access {
  /** How the token stands in a shell command. */
  readonly credential: string;
  readonly told: string;
}

const FROM_ENVIRONMENT: Access = {
  credential: '$API_TOKEN',
  told: 'Token: the one in API_TOKEN',
};

async function localAccess(store: Store): Promise<Access> {
  const file = `${store.path}.token`;
  const tokens = store.tokens();
  try {
    const secret = await localToken(tokens, file);
    return secret
      ? { credential: secret, told: `Token: ${secret}\n       (kept in ${file})` }
      : { credential: '<token>', told: 'Token: the local one was revoked; see tenor token create' };
  } finally {
    tokens.close();
  }
}

function greeting({ address }: Listening, { credential, told }: Access, isSample: boolean): string {
  const sample = 'The data is made up: a sample market to try the service with.';
  const curl = `curl -H "Authorization: Bearer ${credential}" "${address}/2.0/bnb/quote?limit=5"`;
  return [
    `Tenor ${VERSION} serves at ${address}`,
    ...(isSample ? [sample] : []),
    '',
    told,
    `Try:   ${curl}`,
    `API:   ${address}/openapi.json`,
    '',
  ].join('\n');
}

function portTaken(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'EADDRINUSE') throw cause;
  throw new Refused('the address is in use; set PORT to another, or 0 for any free one');
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
}

import { readFileSync } from 'node:fs';
import { catalogue as shippedDatasets } from '../catalogue/index.ts';
import { fetchBuffered } from '../client/bounded-response.ts';
import { Connection } from '../client/connection.ts';
import { TenorError } from '../client/errors.ts';
import { type Fetch, resolveOptions } from '../client/options.ts';
import { createInProcessServer } from '../http/server/in-process-server.ts';
import { explainReadError } from '../shared/file-error.ts';
import { type Store, StoreMissingError } from '../store/open-store.ts';
import { TOKEN_PATTERN } from '../tokens/token-secret.ts';
import { parseServerUrl } from './arguments.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';
import { printNote } from './output.ts';
import { closeAfter, openConfiguredStore } from './with-store.ts';

/** The client's connection to a server, and its URL. */
export interface ApiConnection {
  readonly connection: Connection;
  readonly baseUrl: URL;
}

/** The argument of a command that has the URL of a server. */
interface UrlArgument {
  readonly name: string;
  readonly value: string | boolean | undefined;
  /** Whether only operations are called that need no token. */
  readonly isOpen?: boolean;
}

export const TOKEN_FILE_OPTION = {
  placeholder: 'FILE',
  help: 'The token of a server (default: TENOR_TOKEN, API_TOKEN)',
} as const;

/** Runs a callback with a connection to the server of a URL or TENOR_URL, else in this process. */
export async function withConnection<T>(
  call: CommandCall,
  callback: (api: ApiConnection) => Promise<T>,
  { name, value, isOpen = false }: UrlArgument = { name: '--url', value: call.options.url },
): Promise<T> {
  const { 'token-file': tokenFile } = call.options;
  const url = value ?? (process.env.TENOR_URL || undefined);
  if (url !== undefined) {
    const baseUrl = parseServerUrl(value === undefined ? 'TENOR_URL' : name, String(url));
    const token = getToken(call, isOpen);
    printNote(`querying ${baseUrl}`);
    return callback(
      createConnection(baseUrl, token, (target, init) => send(baseUrl, target, init)),
    );
  }
  if (tokenFile !== undefined)
    throw new UsageError(
      `--token-file requires ${name} or TENOR_URL; reading the database needs no token`,
    );
  const store = await openQueriedStore(call);
  return closeAfter(await createInProcessServer(store, shippedDatasets), (server) =>
    callback(
      createConnection(IN_PROCESS_URL, 'local', (target, { headers }) =>
        server.get(target.slice(IN_PROCESS_URL.length), headers),
      ),
    ),
  );
}

/** Opens the database; before the first start there is none, and a server may be meant. */
async function openQueriedStore(call: CommandCall): Promise<Store> {
  try {
    return await openConfiguredStore(call.settings(), { preparation: 'none' });
  } catch (cause) {
    if (!(cause instanceof StoreMissingError)) throw cause;
    const hint = 'to query a running server, set TENOR_URL and TENOR_TOKEN';
    throw new StoreMissingError(`${cause.message}; ${hint}`, { cause });
  }
}

const IN_PROCESS_URL = 'http://localhost';

function createConnection(baseUrl: string, token: string, fetch: Fetch): ApiConnection {
  const max = Number.POSITIVE_INFINITY;
  const limits = { tries: max, timeoutMs: max, totalMs: max, cacheCharacters: 0 };
  const options = resolveOptions({ baseUrl, token, fetch, ...limits });
  return { connection: new Connection({ ...options, shouldRetry }), baseUrl: options.base };
}

const MAX_RETRY_AFTER_MS = 60_000;
/** Until then, requests that are made at the same time wait together. */
let waitsUntilMs = 0;

/** A person sees other errors at once, and decides whether to run the command again. */
function shouldRetry({ kind, retryAfterMs = Number.POSITIVE_INFINITY }: TenorError): boolean {
  if (kind !== 'too_many_requests' || retryAfterMs > MAX_RETRY_AFTER_MS) return false;
  const now = Date.now();
  if (now >= waitsUntilMs) {
    waitsUntilMs = now + retryAfterMs;
    printNote(`rate limited; retrying in ${retryAfterMs / 1_000} s`);
  }
  return true;
}

/** Reads the whole response, so that a connection lost in its body is reported in the same way. */
async function send(baseUrl: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetchBuffered(url, init);
  } catch (cause) {
    if (cause instanceof TenorError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    // That of a timeout is a number, which says nothing.
    const reason = typeof code === 'string' ? code : message;
    throw new CommandError(`cannot reach ${baseUrl}: ${reason}`);
  }
}

/** Reads the token, but never from the command line, which every user of a machine can see. */
function getToken({ options, settings }: CommandCall, isOpen: boolean): string {
  const { 'token-file': file } = options;
  const ofEnvironment = () => process.env.TENOR_TOKEN || settings().apiToken;
  const token = file === undefined ? ofEnvironment() : readTokenFile(String(file));
  if (token === undefined && isOpen) return 'none';
  if (token !== undefined && TOKEN_PATTERN.test(token)) return token;
  throw new UsageError(
    file === undefined
      ? 'a token is required: set TENOR_TOKEN or API_TOKEN, or give --token-file FILE'
      : `--token-file must name a file that holds a token and nothing else, not "${file}"`,
  );
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new UsageError(`--token-file ${file} ${explainReadError(cause)}`);
  }
}

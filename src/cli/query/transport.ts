import { readFileSync } from 'node:fs';
import { catalogue } from '../../catalogue/index.ts';
import { createInProcessServer } from '../../http/in-process-server.ts';
import { TOKEN_PATTERN } from '../../tokens/token-secret.ts';
import type { CommandCall } from '../command.ts';
import { CommandError, UsageError } from '../command.ts';
import { createLockWaitOptions, openConfiguredStore } from '../open-store.ts';
import { printNote } from './print-note.ts';

/** Sends a GET and gives its reply, whatever that is. */
export type SendRequest = (
  target: string,
  headers: Readonly<Record<string, string>>,
) => Promise<ApiReply>;

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Runs work that asks: the database as a server on it would answer, or with `--url` a server. */
export async function withTransport<T>(
  call: CommandCall,
  callback: (ask: SendRequest) => Promise<T>,
): Promise<T> {
  const { url } = call.options;
  if (url !== undefined)
    return callback(createHttpTransport(parseBaseUrl(String(url)), getToken(call)));
  if (call.options['token-file'] !== undefined) {
    throw new UsageError('--token-file goes with --url: the database itself needs no token');
  }
  const store = await openConfiguredStore(call.settings(), createLockWaitOptions());
  const service = await createInProcessServer(store, catalogue);
  try {
    return await callback(async (target, headers) =>
      toApiReply(await service.get(target, headers)),
    );
  } finally {
    service.close();
  }
}

function createHttpTransport(base: string, token: string): SendRequest {
  printNote(`asking ${base}`);
  return async (target, headers) => {
    try {
      const sent = { ...headers, Authorization: `Bearer ${token}` };
      // The token is for this server, and the service itself never sends anybody elsewhere.
      return await toApiReply(
        await fetch(`${base}${target}`, { headers: sent, redirect: 'manual' }),
      );
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new CommandError(`cannot reach ${base}: ${code ?? message}`);
    }
  };
}

async function toApiReply(response: Response): Promise<ApiReply> {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** The address of a server without the slash behind it. */
function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--url must be the address of a server, such as http://127.0.0.1:8080');
  }
  return url.href.replace(/\/$/, '');
}

/** Never from the command line, which every user of a machine can see. */
function getToken({ options, settings }: CommandCall): string {
  const file = options['token-file'];
  const token = file === undefined ? settings().apiToken : readTokenFile(String(file));
  if (token !== undefined && TOKEN_PATTERN.test(token)) return token;
  throw new UsageError(
    file === undefined
      ? 'a token is needed: set API_TOKEN, or give --token-file FILE'
      : `--token-file must name a file that holds a token and nothing else, not "${file}"`,
  );
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new UsageError(`--token-file ${file}: ${(cause as Error).message}`);
  }
}

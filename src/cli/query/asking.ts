import { readFileSync } from 'node:fs';
import { catalogue } from '../../catalogue/index.ts';
import { inProcess } from '../../http/in-process.ts';
import { TOKEN } from '../../tokens/secret.ts';
import type { Call } from '../command.ts';
import { Refused, WrongUse } from '../command.ts';
import { opened, patience } from '../waiting.ts';
import { note } from './note.ts';

/** Sends a GET and gives its reply, whatever that is. */
export type Ask = (target: string, headers: Readonly<Record<string, string>>) => Promise<Reply>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Runs work that asks: the database as a server on it would answer, or with `--url` a server. */
export async function withAsk<T>(call: Call, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { url } = call.options;
  if (url !== undefined) return work(serverAt(baseOf(String(url)), tokenOf(call)));
  if (call.options['token-file'] !== undefined) {
    throw new WrongUse('--token-file goes with --url: the database itself needs no token');
  }
  const store = await opened(call.settings(), patience());
  const service = await inProcess(store, catalogue);
  try {
    return await work(async (target, headers) => replyOf(await service.ask(target, headers)));
  } finally {
    service.close();
  }
}

function serverAt(base: string, token: string): Ask {
  note(`asking ${base}`);
  return async (target, headers) => {
    try {
      const sent = { ...headers, Authorization: `Bearer ${token}` };
      // The token is for this server, and the service itself never sends anybody elsewhere.
      return await replyOf(await fetch(`${base}${target}`, { headers: sent, redirect: 'manual' }));
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new Refused(`cannot reach ${base}: ${code ?? message}`);
    }
  };
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** The address of a server without the slash behind it. */
function baseOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new WrongUse('--url must be the address of a server, such as http://127.0.0.1:8080');
  }
  return url.href.replace(/\/$/, '');
}

/** Never from the command line, which every user of a machine can see. */
function tokenOf({ options, settings }: Call): string {
  const file = options['token-file'];
  const token = file === undefined ? settings().apiToken : kept(String(file));
  if (token !== undefined && TOKEN.test(token)) return token;
  throw new WrongUse(
    file === undefined
      ? 'a token is needed: set API_TOKEN, or give --token-file FILE'
      : `--token-file must name a file that holds a token and nothing else, not "${file}"`,
  );
}

function kept(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new WrongUse(`--token-file ${file}: ${(cause as Error).message}`);
  }
}

import { fetchBuffered } from '../../client/bounded-response.ts';
import { readyOperation } from '../../operations/health/health-operations.ts';
import type { Settings } from '../../settings.ts';
import { parseServerUrl } from '../arguments.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { printLine } from '../output.ts';

const TIMEOUT_MS = 5_000;

export const healthCommand: Command = {
  usage: 'health [URL]',
  summary: 'Check whether a server is ready, by default the one on this machine',
  maxArguments: 1,
  options: {},
  details: [
    'Without a URL, HOST and PORT give the address. Exit status 0: the server is ready. 1: it is not,',
    'or cannot be reached within five seconds. Intended for container health checks.',
  ].join('\n'),
  async run({ positionals: [url], settings }) {
    const isOwn = url === undefined;
    const baseUrl = isOwn ? getOwnUrl(settings()) : parseServerUrl('URL', url);
    // Proxies for other machines cannot reach this one.
    if (isOwn) process.env.NO_PROXY = '*';
    const response = await requestReadiness(baseUrl, isOwn);
    if (response.status === 200) return printLine(`${baseUrl} is ready`);
    throw new CommandError(`${baseUrl} is not ready: ${await readReasons(response)}`);
  },
};

export function getOwnUrl(settings: Pick<Settings, 'host' | 'port' | 'tlsCert'>): string {
  const { host, port, tlsCert } = settings;
  if (port === 0)
    throw new UsageError('PORT is 0, which means any free port; give the URL of the server');
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const scheme = tlsCert === '' ? 'http' : 'https';
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function requestReadiness(baseUrl: string, isOwn: boolean): Promise<Response> {
  try {
    const init = {
      redirect: 'manual' as const,
      // Certificates do not name the address of the own machine, and nothing secret is sent.
      tls: { rejectUnauthorized: !isOwn },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    return await fetchBuffered(baseUrl + readyOperation.path, init);
  } catch (cause) {
    const { code, name, message } = cause as NodeJS.ErrnoException;
    const reason = name === 'TimeoutError' ? 'no response in time' : (code ?? message);
    throw new CommandError(`cannot reach ${baseUrl}: ${reason}`);
  }
}

async function readReasons(response: Response): Promise<string> {
  try {
    const { reasons } = (await response.json()) as { reasons: readonly string[] };
    return reasons.join(', ');
  } catch {
    // The response of another program or a proxy.
    return `status ${response.status}`;
  }
}

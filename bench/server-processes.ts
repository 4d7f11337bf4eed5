import { join } from 'node:path';
import type { ColdKind } from './cold/requests.ts';

export const TOKEN = 'bench-token';
/** The headers that all servers accept. */
export const AUTHORIZATION_HEADERS = { Authorization: `Bearer ${TOKEN}` };
export const ROOT = join(import.meta.dirname, '..');

export interface ServerProcess {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts Tenor from the sources of this tree, or by another command. */
export async function startTenor(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  command: readonly string[] = getSourceCommand(ROOT),
): Promise<ServerProcess> {
  const base = { DATABASE_URL: databaseUrl, API_TOKEN: TOKEN, PORT: '0' };
  // A limit that is never reached but still counted and sent.
  const rate = { RATE_LIMIT: '999999999/s' };
  // It would take a core for a while after the first request; it is measured by itself.
  const scrub = { SCRUB_INTERVAL: 'off' };
  return startServer([...command, 'serve'], { ...base, ...rate, ...scrub, ...settings }, null);
}

/** Runs the command from the sources of a tree. */
export function getSourceCommand(root: string): string[] {
  return [process.execPath, join(root, 'src/cli/main.ts')];
}

/** Starts the bare handler with the content of a response. */
export async function startBaselineServer(
  response: Response,
  options: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const settings = { ...getBaselineSettings(response), STATUS: String(response.status) };
  return startServer(
    [process.execPath, join(ROOT, 'bench/baseline-server.ts')],
    { ...settings, ...options },
    await response.clone().bytes(),
  );
}

/** Starts a handler that sends the best statement to a database, with the headers of a response. */
export async function startQueryBaseline(
  databaseUrl: string,
  kind: ColdKind,
  response: Response,
): Promise<ServerProcess> {
  const settings = { ...getBaselineSettings(response), DATABASE_URL: databaseUrl, KIND: kind };
  return startServer(
    [process.execPath, join(ROOT, 'bench/cold/baseline-server.ts')],
    settings,
    null,
  );
}

function getBaselineSettings(response: Response) {
  return { TOKEN, HEADERS: JSON.stringify(getSentHeaders(response)) };
}

/** The headers of a response that a handler sends, without those that its server adds itself. */
export function getSentHeaders(response: Response): Record<string, string> {
  const excluded = ['date', 'content-length', 'connection', 'keep-alive'];
  const headers = [...response.headers].filter(([name]) => !excluded.includes(name));
  return Object.fromEntries(headers);
}

/** The resources that a command used. */
export interface CommandUsage {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak memory. */
  readonly megabytes: number;
}

/** Runs a command; throws if it fails. */
export async function runCommand(
  command: readonly string[],
  settings: Record<string, string> = {},
  input: string | null = null,
): Promise<CommandUsage> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...settings },
    stdin: input === null ? null : Buffer.from(input),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  const seconds = (performance.now() - started) / 1_000;
  const usage = child.resourceUsage();
  return {
    seconds,
    cpuSeconds: Number(usage?.cpuTime.total ?? Number.NaN) / 1e6,
    megabytes: (usage?.maxRSS ?? Number.NaN) / 1e6,
  };
}

async function startServer(
  command: readonly string[],
  settings: Record<string, string>,
  input: Uint8Array | null,
): Promise<ServerProcess> {
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...settings },
    stdin: input,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  return toServerProcess(child, await readAddress(child.stdout));
}

/** A child process that serves at an address. */
export function toServerProcess(child: Bun.Subprocess, address: string): ServerProcess {
  return {
    address,
    pid: child.pid,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Reads the URL that a server prints. */
async function readAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk);
    const address = /http:\/\/[\d.]+:\d+/.exec(text)?.[0];
    if (address) return address;
  }
  throw new Error(`the server did not start: ${text}`);
}

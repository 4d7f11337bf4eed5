import { join } from 'node:path';

export const TOKEN = 'bench-token';
/** The headers that all servers accept. */
export const AUTHORIZATION_HEADERS = { Authorization: `Bearer ${TOKEN}` };
const ROOT = join(import.meta.dirname, '..');

export interface ServerProcess {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts Tenor. */
export async function startTenor(databaseUrl: string): Promise<ServerProcess> {
  // A limit that is never reached but still counted and sent.
  const rate = { RATE_LIMIT: '999999999/s' };
  const settings = { DATABASE_URL: databaseUrl, API_TOKEN: TOKEN, ...rate, PORT: '0' };
  return startServer([join(ROOT, 'src/cli/main.ts'), 'serve'], settings, null);
}

/** Starts the bare handler with the content of a response. */
export async function startBaselineServer(response: Response): Promise<ServerProcess> {
  const settings = { ...getBaselineSettings(response), STATUS: String(response.status) };
  return startServer([join(ROOT, 'bench/baseline-server.ts')], settings, await response.bytes());
}

/** Starts a handler that queries a database directly, with the headers of a response. */
export async function startPostgresBaseline(
  databaseUrl: string,
  response: Response,
): Promise<ServerProcess> {
  const settings = { ...getBaselineSettings(response), DATABASE_URL: databaseUrl };
  return startServer([join(ROOT, 'bench/postgres/baseline-server.ts')], settings, null);
}

function getBaselineSettings(response: Response) {
  // The server adds these itself.
  const excluded = ['date', 'content-length', 'connection', 'keep-alive'];
  const headers = [...response.headers].filter(([name]) => !excluded.includes(name));
  return { TOKEN, HEADERS: JSON.stringify(Object.fromEntries(headers)) };
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

/** The command that loads quotes from a file. */
export const loadCommand = (file: string) => [
  join(ROOT, 'bin/tenor'),
  'load',
  '--create',
  'quotes',
  file,
];

async function startServer(
  args: readonly string[],
  settings: Record<string, string>,
  input: Uint8Array | null,
): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, ...args], {
    env: { ...process.env, ...settings },
    stdin: input,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const address = await readAddress(child.stdout);
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

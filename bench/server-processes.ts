import { join } from 'node:path';

export const TOKEN = 'bench-token';
/** What opens our server and the bare one. */
export const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };
const ROOT = join(import.meta.dirname, '..');

export interface Running {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Our server, as it is: its log goes where a log collector would read it. */
export async function ours(databaseUrl: string): Promise<Running> {
  // A limit that is never reached: it is counted and told on every reply, as with any other.
  const rate = { RATE_LIMIT: '999999999/s' };
  const settings = { DATABASE_URL: databaseUrl, API_TOKEN: TOKEN, ...rate, PORT: '0' };
  return started([join(ROOT, 'src/cli/main.ts'), 'serve'], settings, null);
}

/** The bare handler, returning what that response has. */
export async function bare(response: Response): Promise<Running> {
  const settings = { ...headersOf(response), STATUS: String(response.status) };
  return started([join(ROOT, 'bench/baseline-server.ts')], settings, await response.bytes());
}

/** A handler that asks a database by hand, and adds the headers that the response has. */
export async function byHand(databaseUrl: string, response: Response): Promise<Running> {
  const settings = { ...headersOf(response), DATABASE_URL: databaseUrl };
  return started([join(ROOT, 'bench/postgres/baseline-server.ts')], settings, null);
}

function headersOf(response: Response) {
  // Both servers add these themselves.
  const own = ['date', 'content-length', 'connection', 'keep-alive'];
  const headers = [...response.headers].filter(([name]) => !own.includes(name));
  return { TOKEN, HEADERS: JSON.stringify(Object.fromEntries(headers)) };
}

/** What a command took, from its start to its end. */
export interface Finished {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most memory that it held at one time. */
  readonly megabytes: number;
}

/** Runs a command to its end; one that fails ends the bench. */
export async function finished(
  words: readonly string[],
  settings: Record<string, string> = {},
  input: string | null = null,
): Promise<Finished> {
  const started = performance.now();
  const child = Bun.spawn([...words], {
    env: { ...process.env, ...settings },
    stdin: input === null ? null : Buffer.from(input),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')}: ${said}`);
  const seconds = (performance.now() - started) / 1_000;
  const used = child.resourceUsage();
  return {
    seconds,
    cpuSeconds: Number(used?.cpuTime.total ?? Number.NaN) / 1e6,
    megabytes: (used?.maxRSS ?? Number.NaN) / 1e6,
  };
}

/** The words that load quotes from a file, as a publisher types them. */
export const loadQuotes = (file: string) => [join(ROOT, 'bin/tenor'), 'load', 'quotes', file];

async function started(
  args: readonly string[],
  settings: Record<string, string>,
  input: Uint8Array | null,
): Promise<Running> {
  const child = Bun.spawn([process.execPath, ...args], {
    env: { ...process.env, ...settings },
    stdin: input,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const address = await addressIn(child.stdout);
  return {
    address,
    pid: child.pid,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** The first address that a server prints. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk);
    const address = /http:\/\/[\d.]+:\d+/.exec(text)?.[0];
    if (address) return address;
  }
  throw new Error(`the server did not start: ${text}`);
}

import { join } from 'node:path';

export const TOKEN = 'bench-token';
const ROOT = join(import.meta.dirname, '..');

export interface Running {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Our server, as it is: its log goes where a log collector would read it. */
export async function ours(databaseUrl: string): Promise<Running> {
  const settings = { DATABASE_URL: databaseUrl, API_TOKEN: TOKEN, RATE_LIMIT: 'off', PORT: '0' };
  return started([join(ROOT, 'src/cli/tenor.ts'), 'serve'], settings, null);
}

/** The bare handler, returning what that response has. */
export async function bare(response: Response): Promise<Running> {
  // Both servers add these themselves.
  const own = ['date', 'content-length', 'connection', 'keep-alive'];
  const headers = [...response.headers].filter(([name]) => !own.includes(name));
  const settings = { TOKEN, HEADERS: JSON.stringify(Object.fromEntries(headers)) };
  return started([join(ROOT, 'bench/bare.ts')], settings, await response.bytes());
}

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
  for await (const piece of output) {
    text += new TextDecoder().decode(piece);
    const address = /http:\/\/[\d.]+:\d+/.exec(text)?.[0];
    if (address) return address;
  }
  throw new Error(`the server did not start: ${text}`);
}

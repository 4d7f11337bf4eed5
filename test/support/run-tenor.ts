import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { SETTINGS } from '../../src/settings.ts';
import { spawnChild } from './spawn-child.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

type Environment = Record<string, string>;

/** The environment of a command under test: without the settings of whoever runs the tests. */
export function buildEnvironment(settings: Environment): Environment {
  const variables = Object.values(SETTINGS).map(({ variable }): string => variable);
  const inherited = Object.entries(process.env).filter(([name]) => !variables.includes(name));
  return { ...(Object.fromEntries(inherited) as Environment), ...settings };
}

/** What `bin/tenor` runs after its check that all packages are installed, which takes a while. */
export const COMMAND = [
  join(ROOT, 'node_modules/.bin/bun'),
  '--no-env-file',
  '--config=/dev/null',
  `--tsconfig-override=${join(ROOT, 'tsconfig.json')}`,
  join(ROOT, 'src/cli/main.ts'),
];

/** Where and how to run the command, if not in the project and as `bin/tenor` does. */
interface RunOptions {
  readonly cwd?: string;
  readonly command?: readonly string[];
  /** Whether `serve` fails before it listens, and so needs no process of its own. */
  readonly isRejected?: boolean;
}

/** Starts the command, with standard error on a file descriptor if one is given. */
export function spawnTenor<Stderr extends number | 'pipe' = 'pipe'>(
  args: readonly string[],
  settings: Environment = {},
  stderr: Stderr = 'pipe' as Stderr,
  { cwd = ROOT, command = COMMAND }: RunOptions = {},
) {
  return spawnChild([...command, ...args], {
    cwd,
    env: buildEnvironment(settings),
    stdout: 'pipe',
    stderr,
  });
}

/**
 * Runs the command in this process, one at a time, which takes a fraction of the time of another
 * process; only a `serve` that listens gets one. Not for what a process adds: standard input, signals, two at once.
 */
export function runTenor(
  args: readonly string[],
  settings: Environment = {},
  { cwd = ROOT, isRejected = false }: Pick<RunOptions, 'cwd' | 'isRejected'> = {},
): Promise<CommandResult> {
  if (args[0] === 'serve' && !isRejected) return runTenorProcess(args, settings, { cwd });
  const run = previousRun.then(() => runHere(args, buildEnvironment(settings), cwd));
  previousRun = run.catch(() => undefined);
  return run;
}

let previousRun: Promise<unknown> = Promise.resolve();

async function runHere(
  args: readonly string[],
  env: Environment,
  cwd: string,
): Promise<CommandResult> {
  const { env: ownEnv } = process;
  const ownFolder = process.cwd();
  const [out, err] = [captureStream(process.stdout), captureStream(process.stderr)];
  process.env = { ...env };
  process.chdir(cwd);
  try {
    const status = await runCommandLine(args);
    return { status, out: out.text(), err: err.text() };
  } finally {
    process.chdir(ownFolder);
    process.env = ownEnv;
    out.release();
    err.release();
  }
}

/** Collects what is written to a stream, which is no terminal meanwhile. */
function captureStream(stream: NodeJS.WriteStream) {
  const { write, isTTY } = stream;
  const chunks: Uint8Array[] = [];
  stream.isTTY = false;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
    for (const callback of rest) if (typeof callback === 'function') callback();
    return true;
  };
  return {
    text: () => Buffer.concat(chunks).toString(),
    release() {
      stream.write = write;
      stream.isTTY = isTTY;
    },
  };
}

/** Runs the command in a process of its own until it exits. */
export async function runTenorProcess(
  args: readonly string[],
  settings: Environment = {},
  options: RunOptions = {},
): Promise<CommandResult> {
  const child = spawnTenor(args, settings, 'pipe', options);
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, out, err };
}

export interface TenorServer {
  /** Its output so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly address: string;
  readonly pid: number;
  /** Sends a signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<{ status: number; seconds: number }>;
}

/** Starts a server, and waits for the URL that it prints. */
export async function startTenorServer(
  settings: Environment,
  command: readonly string[] = [...COMMAND, 'serve'],
  cwd = ROOT,
): Promise<TenorServer> {
  const child = spawnChild([...command], {
    cwd,
    env: buildEnvironment({ PORT: '0', ...settings }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const out = collectText(child.stdout);
  const err = collectText(child.stderr);
  while (!out.text().includes('/openapi.json')) {
    if (child.exitCode !== null) throw new Error(`the server exited: ${err.text()}`);
    await Bun.sleep(10);
  }
  return {
    out: out.text,
    err: err.text,
    address: /http:\/\/\S+:\d+/.exec(out.text())?.[0] ?? '',
    pid: child.pid,
    async stop(signal = 'SIGTERM') {
      const started = performance.now();
      child.kill(signal);
      const status = await child.exited;
      await Promise.all([out.ended, err.ended]);
      return { status, seconds: (performance.now() - started) / 1_000 };
    },
  };
}

function collectText(stream: ReadableStream<Uint8Array>) {
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  })();
  return { text: () => text, ended };
}

import { buildEnvironment, COMMAND, ROOT } from './run-tenor.ts';
import { spawnChild } from './spawn-child.ts';

/** A command that runs on a pseudo-terminal. */
export interface TerminalSession extends Disposable {
  /** Everything that was written to the terminal so far, control sequences included. */
  readonly screen: () => string;
  readonly pid: number;
  /** Waits until the terminal shows a text that matches. */
  waitFor(pattern: RegExp | string): Promise<void>;
  /** Types keys, such as text, `CTRL_C` or `CTRL_D`. */
  press(keys: string): void;
  /** Waits for the exit of the command and the end of its output. */
  wait(): Promise<{ readonly status: number; readonly screen: string }>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs this line of a shell instead, where `"$@"` is the command. */
  readonly shell?: string;
}

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

/** What a terminal would be left in by the output of a command that ended. */
export function describeEnd(screen: string) {
  const styles = screen.match(ANSI_STYLES) ?? [];
  return {
    /** Whether the next prompt begins on a line of its own. */
    isLineEnded: screen === '' || screen.endsWith('\r\n'),
    isStyled: styles.length > 0 && styles.at(-1) !== '\u001b[0m',
    // `?` starts private modes such as a hidden cursor or the alternate screen.
    hasPrivateModes: screen.includes('\u001b[?'),
  };
}

/** A terminal that is left as it was found. */
export const IN_ORDER = { isLineEnded: true, isStyled: false, hasPrivateModes: false };

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const ANSI_STYLES = /\u001b\[[\d;]*m/g;

/** Starts `tenor` on a pseudo-terminal of its own. */
export function openTerminal(
  args: readonly string[],
  { columns = 100, env = {}, shell }: TerminalOptions = {},
): TerminalSession {
  const command = [...COMMAND, ...args];
  const decoder = new TextDecoder();
  const streamEnd = Promise.withResolvers<void>();
  const news = new EventTarget();
  let screen = '';
  const child = spawnChild(shell === undefined ? command : ['sh', '-c', shell, 'sh', ...command], {
    cwd: ROOT,
    env: { TERM: 'xterm-256color', ...buildEnvironment(env) },
    terminal: {
      cols: columns,
      rows: 30,
      data: (_terminal, chunk) => {
        screen += decoder.decode(chunk, { stream: true });
        news.dispatchEvent(new Event('data'));
      },
      exit: () => {
        streamEnd.resolve();
        news.dispatchEvent(new Event('data'));
      },
    },
  });
  const isEnded = streamEnd.promise.then(() => true);
  return {
    screen: () => screen,
    pid: child.pid,
    async waitFor(pattern) {
      while (!screen.match(pattern)) {
        const hasEnded = await Promise.race([
          isEnded,
          new Promise((resolve) =>
            news.addEventListener('data', () => resolve(false), { once: true }),
          ),
        ]);
        if (hasEnded && !screen.match(pattern)) {
          throw new Error(`the command ended without showing ${pattern}:\n${screen}`);
        }
      }
    },
    press: (keys) => child.terminal?.write(keys),
    async wait() {
      const status = await child.exited;
      await streamEnd.promise;
      return { status, screen };
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  };
}

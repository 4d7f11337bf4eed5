import { constants } from 'node:os';
import { InvalidFileError } from '../formats/file-contents.ts';
import { GuardError, PublishError } from '../publish/errors.ts';
import {
  findMistypedSettings,
  formatMistyped,
  InvalidSettingError,
  parseSettings,
  type Settings,
} from '../settings.ts';
import { ADAPTER_ARGUMENT, WORKER_ARGUMENT } from '../shared/own-command.ts';
import {
  InvalidTargetFileError,
  StoreDamagedError,
  StoreUnavailableError,
  StoreUnusableError,
} from '../store/errors.ts';
import { COMMIT, VERSION } from '../version.ts';
import { InterruptedError } from './abort-on-signal.ts';
import { CommandError, formatHelp, parseCommandLine, UsageError } from './command.ts';
import { findCommand, formatHelpFor, isCommandGroup } from './find-command.ts';
import { printLine, printNote, printRefusal } from './output.ts';

/** Runs a command, reports expected errors, and returns the exit status. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await run(args);
    return 0;
  } catch (cause) {
    if (cause instanceof InterruptedError) {
      // The terminal shows ^C on an unfinished line.
      if (process.stderr.isTTY) process.stderr.write('\n');
      // Unread standard input would keep the process alive.
      process.exit(printError(cause, 128 + constants.signals[cause.signal]));
    }
    const expected = [
      UsageError,
      CommandError,
      InvalidSettingError,
      StoreUnusableError,
      StoreUnavailableError,
      InvalidFileError,
      InvalidTargetFileError,
      PublishError,
    ];
    if (!expected.some((kind) => cause instanceof kind)) throw cause;
    const isReported = cause instanceof CommandError && cause.isAlreadyReported;
    const named = cause instanceof GuardError && { rule: cause.rule };
    if (args.includes('--json') && !isReported)
      await printRefusal({ message: (cause as Error).message, ...named });
    return printError(cause as Error, getExitStatus(cause));
  }
}

function getExitStatus(cause: unknown): number {
  if (cause instanceof UsageError || cause instanceof InvalidTargetFileError) return 2;
  if (cause instanceof GuardError) return cause.rule === 'no-records' ? 4 : 3;
  // A job may try again, unless the database is damaged.
  if (cause instanceof StoreUnavailableError && !(cause instanceof StoreDamagedError)) return 5;
  return cause instanceof CommandError ? cause.exitStatus : 1;
}

async function run(args: readonly string[]): Promise<void> {
  const [first, second] = args;
  if (first === '--version') return printLine(formatVersion());
  if (first === WORKER_ARGUMENT && process.send) {
    const { serveAsWorker } = await import('./workers/serve-as-worker.ts');
    return serveAsWorker();
  }
  if (first === ADAPTER_ARGUMENT && process.send)
    return void (await import('../publish/adapter/adapter-process.ts'));
  if (isHelpRequest(first)) return printLine(await formatHelpFor(args.slice(1)));
  if (isCommandGroup(first) && isHelpRequest(second))
    return printLine(await formatHelpFor([first]));
  const { name, command } = await findCommand(args);
  const call = parseCommandLine(command, args.slice(name.split(' ').length));
  if (call.options.help) return printLine(formatHelp(command));
  let settings: Settings | undefined;
  await command.run({
    ...call,
    settings() {
      settings ??= readSettings();
      return settings;
    },
  });
}

/** Names the variables that look like mistyped settings, or stops because of them. */
function readSettings(): Settings {
  const settings = parseSettings(process.env);
  const mistyped = findMistypedSettings(process.env).map(formatMistyped);
  if (settings.strictSettings && mistyped.length > 0)
    throw new InvalidSettingError(`${mistyped.join('\n')}\n(STRICT_SETTINGS=on)`);
  mistyped.forEach(printNote);
  return settings;
}

function formatVersion(): string {
  return COMMIT === undefined ? VERSION : `${VERSION} (${COMMIT})`;
}

function isHelpRequest(argument: string | undefined): boolean {
  return argument === undefined || ['--help', '-h', 'help'].includes(argument);
}

function printError({ message }: Error, status: number): number {
  printNote(message);
  return status;
}

import { InvalidFileError } from '../formats/read-contents.ts';
import { PublishError } from '../publish/errors.ts';
import { InvalidSettingError, parseSettings } from '../settings.ts';
import { StoreUnavailableError, StoreUnusableError } from '../store/open-store.ts';
import { VERSION } from '../version.ts';
import {
  CommandError,
  formatHelp,
  InterruptedError,
  parseArguments,
  printLine,
  UsageError,
} from './command.ts';
import { COMMANDS } from './commands/index.ts';

process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  // Whoever reads the output may have seen enough; anything else leaves it cut short.
  if (cause.code === 'EPIPE') process.exit(0);
  process.exit(
    printError(new CommandError(`cannot write to standard output: ${cause.message}`), 1),
  );
});
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    await run(args);
    return 0;
  } catch (cause) {
    if (cause instanceof InterruptedError) {
      // Standard input, given up in the middle, would keep the process waiting for its end.
      process.exit(printError(cause, cause.signal === 'SIGINT' ? 130 : 143));
    }
    const expected = [
      UsageError,
      CommandError,
      InvalidSettingError,
      StoreUnusableError,
      StoreUnavailableError,
      InvalidFileError,
      PublishError,
    ];
    if (!expected.some((kind) => cause instanceof kind)) throw cause;
    if (args.includes('--json')) printJsonError(cause as Error);
    return printError(cause as Error, cause instanceof UsageError ? 2 : 1);
  }
}

/** A refusal for programs, where the command has not told more about it already. */
function printJsonError(cause: Error): void {
  if (cause instanceof CommandError && cause.isAlreadyReported) return;
  printLine(JSON.stringify({ status: 'refused', message: cause.message }, null, 2));
}

async function run(args: readonly string[]): Promise<void> {
  const [first, second] = args;
  if (isHelpRequest(first)) return printLine(formatOverview());
  if (first === '--version') return printLine(VERSION);
  const isGroup = Object.keys(COMMANDS).some((known) => known.startsWith(`${first} `));
  if (isGroup && isHelpRequest(second)) return printLine(formatOverview(first));
  const name = [`${first} ${second}`, `${first}`].find((words) => Object.hasOwn(COMMANDS, words));
  const command = COMMANDS[name ?? ''];
  if (!name || !command) {
    throw new UsageError(`there is no command "${args.slice(0, 2).join(' ')}"; see tenor --help`);
  }
  const call = parseArguments(command, args.slice(name.split(' ').length));
  if (call.options.help) return printLine(formatHelp(command));
  await command.run({ ...call, settings: () => parseSettings(process.env) });
}

function isHelpRequest(word: string | undefined): boolean {
  return word === undefined || ['--help', '-h', 'help'].includes(word);
}

function formatOverview(first = ''): string {
  const lines = Object.entries(COMMANDS)
    .filter(([name]) => name.startsWith(first))
    .map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`);
  const more = 'tenor <command> --help tells more; tenor settings shows the settings.';
  return ['tenor <command>', '', 'Commands:', ...lines, '', more].join('\n');
}

function printError({ message }: Error, status: number): number {
  process.stderr.write(`tenor: ${message}\n`);
  return status;
}

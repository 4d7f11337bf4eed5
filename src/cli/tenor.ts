import { FileRefused } from '../formats/index.ts';
import { PublishingRefused } from '../publish/problems.ts';
import { readSettings, SettingRefused } from '../settings.ts';
import { StoreRefused, StoreUnavailable } from '../store/index.ts';
import { VERSION } from '../version.ts';
import { helpOf, Interrupted, parse, print, Refused, WrongUse } from './command.ts';
import { commands } from './commands.ts';

process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  // Whoever reads the output may have seen enough; anything else leaves it cut short.
  if (cause.code === 'EPIPE') process.exit(0);
  process.exit(complain(new Refused(`cannot write to standard output: ${cause.message}`), 1));
});
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    await run(args);
    return 0;
  } catch (cause) {
    if (cause instanceof Interrupted) {
      // Standard input, given up in the middle, would keep the process waiting for its end.
      process.exit(complain(cause, cause.signal === 'SIGINT' ? 130 : 143));
    }
    const expected = [
      WrongUse,
      Refused,
      SettingRefused,
      StoreRefused,
      StoreUnavailable,
      FileRefused,
      PublishingRefused,
    ];
    if (!expected.some((kind) => cause instanceof kind)) throw cause;
    if (args.includes('--json')) tellPrograms(cause as Error);
    return complain(cause as Error, cause instanceof WrongUse ? 2 : 1);
  }
}

/** A refusal for programs, where the command has not told more about it already. */
function tellPrograms(cause: Error): void {
  if (cause instanceof Refused && cause.isTold) return;
  print(JSON.stringify({ status: 'refused', message: cause.message }, null, 2));
}

async function run(args: readonly string[]): Promise<void> {
  const [first, second] = args;
  if (asksForHelp(first)) return print(overview());
  if (first === '--version') return print(VERSION);
  const isGroup = Object.keys(commands).some((known) => known.startsWith(`${first} `));
  if (isGroup && asksForHelp(second)) return print(overview(first));
  const name = [`${first} ${second}`, `${first}`].find((words) => Object.hasOwn(commands, words));
  const command = commands[name ?? ''];
  if (!name || !command) {
    throw new WrongUse(`there is no command "${args.slice(0, 2).join(' ')}"; see tenor --help`);
  }
  const call = parse(command, args.slice(name.split(' ').length));
  if (call.options.help) return print(helpOf(command));
  await command.run({ ...call, settings: () => readSettings(process.env) });
}

function asksForHelp(word: string | undefined): boolean {
  return word === undefined || ['--help', '-h', 'help'].includes(word);
}

function overview(first = ''): string {
  const lines = Object.entries(commands)
    .filter(([name]) => name.startsWith(first))
    .map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`);
  const more = 'tenor <command> --help tells more; tenor settings shows the settings.';
  return ['tenor <command>', '', 'Commands:', ...lines, '', more].join('\n');
}

function complain({ message }: Error, status: number): number {
  process.stderr.write(`tenor: ${message}\n`);
  return status;
}

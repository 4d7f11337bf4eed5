import { type Command, formatHelp, UsageError } from './command.ts';
import { COMMANDS, importCommands } from './commands/index.ts';
import { formatSuggestion } from './format-suggestion.ts';

/** The command that the first one or two arguments name. */
export async function findCommand(
  args: readonly string[],
): Promise<{ name: string; command: Command }> {
  const [first = '', second = ''] = args;
  for (const name of [`${first} ${second}`, first]) {
    const importCommand = COMMANDS[name];
    if (importCommand) return { name, command: await importCommand() };
  }
  // Arguments other than the name of a command may be secret or long.
  const isPair = isCommandGroup(first) && second !== '';
  const text = isPair ? `${first} ${second}` : first;
  const names = Object.keys(COMMANDS);
  const candidates = isPair ? names : [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  throw new UsageError(
    `there is no command "${text}"${formatSuggestion(text, candidates)}; see tenor --help`,
  );
}

/** Whether several commands begin with this word. */
export function isCommandGroup(word: string | undefined): word is string {
  return Object.keys(COMMANDS).some((name) => name.startsWith(`${word} `));
}

/** The help of the command or group in the arguments; without any, the overview. */
export async function formatHelpFor(args: readonly string[]): Promise<string> {
  const [group] = args;
  if (group === undefined || (isCommandGroup(group) && args.length === 1))
    return formatOverview(await importCommands(group));
  const { name, command } = await findCommand(args);
  const unexpected = args[name.split(' ').length];
  if (unexpected === undefined) return formatHelp(command);
  throw new UsageError(`unexpected argument "${unexpected}"; use tenor help ${name}`);
}

function formatOverview(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(18)} ${summary}`,
  );
  return [
    'tenor <command>',
    '',
    'Commands:',
    ...lines,
    '',
    'tenor help <command> shows its options; tenor settings shows the settings.',
    '',
    'Exit status:',
    ...Object.entries(EXIT_STATUSES).map(
      ([status, description]) => `  ${status.padEnd(17)} ${description}`,
    ),
  ].join('\n');
}

/** The meanings of the exit statuses of all commands. */
export const EXIT_STATUSES = {
  '0': 'Success, even if everything was already published',
  '1': 'Refused or failed: invalid data, setting or database, no such record',
  '2': 'Wrong usage: unknown command, option or dataset, missing argument',
  '3': 'Stopped by a guard: valid data that is probably unintended; --json names the rule',
  '4': 'A file without records; load --allow-empty accepts it',
  '5': 'Not possible now: another load holds the write lock, or the database cannot be reached',
  '129, 130, 143':
    'Interrupted by SIGHUP, Ctrl-C or SIGTERM, nothing published; a server ends with 0',
} as const;

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Settings } from '../settings.ts';

/** A command of `tenor`: one file each. */
export interface Command {
  /** What stands behind `tenor` in the first line of its help. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** How many words it takes at most; none where absent. */
  readonly maxArguments?: number;
  /** More for its help, behind the options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly run: (call: CommandCall) => Promise<void>;
}

export interface CommandOption {
  readonly help: string;
  /** What stands for the value in help; without it the option is a switch. */
  readonly placeholder?: string;
  /** Whether it may be given several times. */
  readonly isRepeatable?: true;
  readonly short?: string;
}

export interface CommandCall {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Every value of an option that may be given several times. */
  readonly getAll: (option: string) => readonly string[];
  /** Read when they are first asked for, so that a wrong one is no matter to who needs none. */
  readonly settings: () => Settings;
}

/** The command was called in a way that it does not have; exit status 2. */
export class UsageError extends Error {}

/** What a command was asked for cannot be done; exit status 1. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** Whether standard output has it as JSON already. */
    readonly isAlreadyReported = false,
  ) {
    super(message);
  }
}

/** A signal ended the command before it was done; exit status 128 and the signal's number. */
export class InterruptedError extends Error {
  constructor(readonly signal: 'SIGINT' | 'SIGTERM') {
    super('interrupted; nothing was published');
  }
}

/** Takes a command's words and options apart. */
export function parseArguments(
  command: Command,
  args: readonly string[],
): Omit<CommandCall, 'settings'> {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
    ([name, { placeholder, short }]) =>
      [
        name,
        { type: placeholder ? 'string' : 'boolean', multiple: true, ...(short && { short }) },
      ] as const,
  );
  const { positionals, values } = runParseArgs(args, Object.fromEntries(options), command);
  const unexpected = values.help ? undefined : positionals[command.maxArguments ?? 0];
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here`);
  const given = values as Readonly<Record<string, readonly (string | boolean)[]>>;
  for (const [name, { length }] of Object.entries(given)) {
    const isMany = command.options[name]?.isRepeatable ?? false;
    if (length > 1 && !isMany) throw new UsageError(`--${name} is given more than once`);
  }
  return {
    positionals,
    options: Object.fromEntries(Object.entries(given).map(([name, [first]]) => [name, first])),
    getAll: (option) => (given[option] ?? []).map(String),
  };
}

function runParseArgs(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  { usage }: Command,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    // What follows the first sentence is advice for other programs than this.
    const [said] = (cause as Error).message.split('. ');
    const [name] = /^[a-z]+( [a-z]+)?/.exec(usage) ?? [];
    throw new UsageError(`${said}; tenor ${name} --help shows the options`);
  }
}

const COMMON_OPTIONS: Record<string, CommandOption> = {
  help: { help: 'Show this help', short: 'h' },
};

/** The help of one command. */
export function formatHelp({ usage, summary, options, details }: Command): string {
  const lines = Object.entries({ ...options, ...COMMON_OPTIONS }).map(
    ([name, { help, placeholder }]) => {
      const flag = placeholder ? `--${name} ${placeholder}` : `--${name}`;
      return `  ${flag.padEnd(24)} ${help}`;
    },
  );
  const behind = details === undefined ? [] : [details, ''];
  return [`tenor ${usage}`, '', `${summary}.`, '', 'Options:', ...lines, '', ...behind].join('\n');
}

/** Prints text for people, or JSON for programs. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

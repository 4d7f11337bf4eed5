import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Settings } from '../settings.ts';
import { formatSuggestion } from './format-suggestion.ts';

export interface Command {
  /** The synopsis, without `tenor`. */
  readonly usage: string;
  readonly summary: string;
  /** The maximum number of positional arguments; by default 0. */
  readonly maxArguments?: number;
  readonly details?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly run: (call: CommandCall) => Promise<void>;
}

export interface CommandOption {
  readonly help: string;
  /** The placeholder of the value in help; without one, the option is a boolean flag. */
  readonly placeholder?: string;
  readonly isRepeatable?: true;
  readonly short?: string;
}

export interface CommandCall {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly getAll: (option: string) => readonly string[];
  /** Parsed only when called, so that an invalid setting does not fail a command that does not need it. */
  readonly settings: () => Settings;
}

export class UsageError extends Error {}

/** The command failed in an expected way. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** Whether it has already been printed as JSON on standard output. */
    readonly isAlreadyReported = false,
    readonly exitStatus = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function parseCommandLine(
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
  if (unexpected !== undefined) throw new UsageError(`unexpected argument "${unexpected}"`);
  const optionValues = values as Readonly<Record<string, readonly (string | boolean)[]>>;
  const entries = Object.entries(optionValues);
  for (const [name, { length }] of entries) {
    const isRepeatable = command.options[name]?.isRepeatable ?? false;
    if (length > 1 && !isRepeatable) throw new UsageError(`--${name} is given more than once`);
  }
  return {
    positionals,
    options: Object.fromEntries(entries.map(([name, [first]]) => [name, first])),
    getAll: (option) => (optionValues[option] ?? []).map(String),
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
    // The sentences after the first do not apply here.
    const [problem = ''] = (cause as Error).message.split('. ');
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(problem) ?? [];
    const suggestion =
      unknown === undefined ? '' : formatSuggestion(unknown, Object.keys(options), '--');
    const [name] = /^[a-z]+( [a-z]+)?/.exec(usage) ?? [];
    throw new UsageError(`${problem}${suggestion}; tenor ${name} --help shows the options`);
  }
}

const COMMON_OPTIONS: { readonly help: CommandOption } = {
  help: { help: 'Show this help', short: 'h' },
};

export function formatHelp({ usage, summary, options, details }: Command): string {
  const lines = Object.entries({ ...options, ...COMMON_OPTIONS }).map(
    ([name, { help, placeholder }]) => {
      const flag = placeholder ? `--${name} ${placeholder}` : `--${name}`;
      return `  ${flag.padEnd(24)} ${help}`;
    },
  );
  const detailLines = details === undefined ? [] : [details, ''];
  const head = [`tenor ${usage}`, '', `${summary}.`, '', 'Options:'];
  return [...head, ...lines, '', ...detailLines].join('\n');
}

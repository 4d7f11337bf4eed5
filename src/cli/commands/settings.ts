import {
  findMistypedSettings,
  formatMistyped,
  getFileVariable,
  parseSetting,
  parseSettings,
  readSetting,
  redactCredentials,
  SETTINGS,
  type Setting,
} from '../../settings.ts';
import { findServerProblems } from '../check-server-settings.ts';
import { type Command, CommandError } from '../command.ts';
import { printJson, printLine } from '../output.ts';

export const settingsCommand: Command = {
  usage: 'settings [--check] [--json]',
  summary: 'Show every setting, its value and its description',
  options: {
    check: {
      help: 'Show only what is wrong, or keeps a server from starting, mistyped names included; exit status 1 if anything is',
    },
    json: { help: 'As JSON' },
  },
  async run({ options }) {
    if (options.check) return checkSettings(options.json === true);
    const settings = describeSettings();
    if (options.json) return printJson(settings);
    const width = Math.max(...settings.map(({ variable }) => variable.length)) + 1;
    for (const { variable, value, isAllowed, help, rule } of settings) {
      const status = isAllowed ? '' : ' (not allowed)';
      printLine(`${variable.padEnd(width)}${value || '(not set)'}${status}`);
      printLine(`${' '.repeat(width)}${help}: ${rule}`);
    }
  },
};

/** The values of all settings by variable, for logs. */
export function formatAllSettings(): Record<string, string | null> {
  return Object.fromEntries(describeSettings().map(({ variable, value }) => [variable, value]));
}

function checkSettings(asJson: boolean): void {
  const invalid = describeSettings().flatMap(({ problem }) => problem ?? []);
  const problems = [
    ...(invalid.length > 0 ? invalid : findServerProblems(parseSettings(process.env))),
    ...findMistypedSettings(process.env).map(formatMistyped),
  ];
  if (asJson) printJson({ problems });
  else printLine(problems.length === 0 ? 'Every setting is allowed.' : problems.join('\n'));
  if (problems.length === 0) return;
  const count = problems.length === 1 ? 'one setting is' : `${problems.length} settings are`;
  throw new CommandError(`${count} wrong`, asJson);
}

function describeSettings() {
  return Object.values<Setting>(SETTINGS).map((setting) => {
    const { variable, defaultText, description, requirement, mayBeInFile } = setting;
    const { text, problem } = inspectSetting(setting);
    const shown = setting.secret ? '(hidden)' : redactCredentials(text ?? '');
    const file = mayBeInFile && process.env[getFileVariable(variable)];
    return {
      variable,
      value: text === undefined ? null : shown,
      ...(file && { file }),
      isAllowed: problem === undefined,
      ...(problem !== undefined && { problem }),
      default: defaultText ?? null,
      help: description,
      rule: requirement,
    };
  });
}

/** The text of a setting, and what is wrong with it. */
function inspectSetting(setting: Setting): { text?: string; problem?: string } {
  let text: string | undefined;
  try {
    text = readSetting(setting, process.env);
    if (text !== undefined) parseSetting(setting, text);
    return { ...(text !== undefined && { text }) };
  } catch (cause) {
    return { ...(text !== undefined && { text }), problem: (cause as Error).message };
  }
}

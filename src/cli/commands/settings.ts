import type { Setting } from '../../settings.ts';
import { SETTINGS as declared, redactCredentials } from '../../settings.ts';
import type { Command } from '../command.ts';
import { printLine } from '../command.ts';

/** Shows every setting, wrong ones too, with secrets hidden. */
export const settingsCommand: Command = {
  usage: 'settings [--json]',
  summary: 'Show every setting, its value and what it is for',
  options: { json: { help: 'As JSON' } },
  async run({ options }) {
    const shown = Object.values<Setting>(declared).map(describeSetting);
    if (options.json) return printLine(JSON.stringify(shown, null, 2));
    const width = Math.max(...shown.map(({ variable }) => variable.length)) + 1;
    for (const { variable, value, isAllowed, help, rule } of shown) {
      const wrong = isAllowed ? '' : ' (not allowed)';
      printLine(`${variable.padEnd(width)}${value || '(not set)'}${wrong}`);
      printLine(`${' '.repeat(width)}${help}: ${rule}`);
    }
  },
};

function describeSetting({
  variable,
  defaultText,
  description,
  requirement,
  secret,
  parse,
}: Setting) {
  const given = process.env[variable] || defaultText;
  const value = given === undefined ? null : secret ? '(hidden)' : redactCredentials(given);
  const isAllowed = given === undefined || parse(given) !== undefined;
  return {
    variable,
    value,
    isAllowed,
    default: defaultText ?? null,
    help: description,
    rule: requirement,
  };
}

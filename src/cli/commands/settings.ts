import { redactCredentials, SETTINGS, type Setting } from '../../settings.ts';
import type { Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';

export const settingsCommand: Command = {
  usage: 'settings [--json]',
  summary: 'Show every setting, its value and its description',
  options: { json: { help: 'As JSON' } },
  async run({ options }) {
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

function describeSettings() {
  return Object.values<Setting>(SETTINGS).map((setting) => {
    const { variable, defaultText, parse, description, requirement } = setting;
    const text = process.env[variable] || defaultText;
    const shown = setting.secret ? '(hidden)' : redactCredentials(text ?? '');
    return {
      variable,
      value: text === undefined ? null : shown,
      isAllowed: text === undefined || parse(text) !== undefined,
      default: defaultText ?? null,
      help: description,
      rule: requirement,
    };
  });
}

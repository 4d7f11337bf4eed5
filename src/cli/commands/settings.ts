import { redactCredentials, SETTINGS, type Setting } from '../../settings.ts';
import type { Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';

export const settingsCommand: Command = {
  usage: 'settings [--json]',
  summary: 'Show every setting, its value and its description',
  options: { json: { help: 'As JSON' } },
  async run({ options }) {
    const settings = Object.values<Setting>(SETTINGS).map(describeSetting);
    if (options.json) return printJson(settings);
    const width = Math.max(...settings.map(({ variable }) => variable.length)) + 1;
    for (const { variable, value, isAllowed, help, rule } of settings) {
      const status = isAllowed ? '' : ' (not allowed)';
      printLine(`${variable.padEnd(width)}${value || '(not set)'}${status}`);
      printLine(`${' '.repeat(width)}${help}: ${rule}`);
    }
  },
};

function describeSetting(setting: Setting) {
  const { variable, defaultText, parse } = setting;
  const text = getSettingText(setting);
  return {
    variable,
    value: formatSettingValue(setting),
    isAllowed: text === undefined || parse(text) !== undefined,
    default: defaultText ?? null,
    help: setting.description,
    rule: setting.requirement,
  };
}

/** The text of the environment, or the default. */
function getSettingText({ variable, defaultText }: Setting): string | undefined {
  return process.env[variable] || defaultText;
}

/** The value of a setting for people and logs, without secrets; null where it is not set. */
function formatSettingValue(setting: Setting): string | null {
  const text = getSettingText(setting);
  return text === undefined ? null : setting.secret ? '(hidden)' : redactCredentials(text);
}

/** Every setting by its variable. */
export function formatAllSettings(): Record<string, string | null> {
  const settings: readonly Setting[] = Object.values(SETTINGS);
  return Object.fromEntries(
    settings.map((setting) => [setting.variable, formatSettingValue(setting)]),
  );
}

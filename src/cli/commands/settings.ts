import { SETTINGS, type Setting } from '../../settings.ts';
import type { Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { formatSettingValue, getSettingText } from '../setting-values.ts';

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

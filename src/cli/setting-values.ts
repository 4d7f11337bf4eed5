import { redactCredentials, SETTINGS, type Setting } from '../settings.ts';

/** The text of the environment, or the default. */
export function getSettingText({ variable, defaultText }: Setting): string | undefined {
  return process.env[variable] || defaultText;
}

/** For people and logs: without secrets; null where it is not set. */
export function formatSettingValue(setting: Setting): string | null {
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

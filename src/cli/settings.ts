import type { Setting } from '../settings.ts';
import { settings as declared, masked } from '../settings.ts';
import type { Command } from './command.ts';
import { print } from './command.ts';

/** Shows every setting, wrong ones too, with secrets hidden. */
export const settings: Command = {
  usage: 'settings [--json]',
  summary: 'Show every setting, its value and what it is for',
  options: { json: { help: 'As JSON' } },
  async run({ options }) {
    const shown = Object.values<Setting>(declared).map(describe);
    if (options.json) return print(JSON.stringify(shown, null, 2));
    const width = Math.max(...shown.map(({ variable }) => variable.length)) + 1;
    for (const { variable, value, isAllowed, help, rule } of shown) {
      const wrong = isAllowed ? '' : ' (not allowed)';
      print(`${variable.padEnd(width)}${value || '(not set)'}${wrong}`);
      print(`${' '.repeat(width)}${help}: ${rule}`);
    }
  },
};

function describe({ variable, fallback, help, rule, secret, read }: Setting) {
  const given = process.env[variable] || fallback;
  const value = given === undefined ? null : secret ? '(hidden)' : masked(given);
  const isAllowed = given === undefined || read(given) !== undefined;
  return { variable, value, isAllowed, default: fallback ?? null, help, rule };
}

import { settings as declared } from '../settings.ts';
import type { Command } from './command.ts';
import { print } from './command.ts';

/** Shows every setting, with secrets hidden. */
export const settings: Command = {
  usage: 'settings [--json]',
  summary: 'Show every setting, its value and what it is for',
  options: { json: { help: 'As JSON' } },
  async run({ options }) {
    const shown = Object.values(declared).map(({ variable, fallback, help, rule, secret }) => {
      const given = process.env[variable] || undefined;
      const value = given && secret ? '(hidden)' : (given ?? fallback ?? null);
      return { variable, value, default: fallback ?? null, help, rule };
    });
    if (options.json) return print(JSON.stringify(shown, null, 2));
    for (const { variable, value, help, rule } of shown) {
      print(`${variable.padEnd(14)} ${value ?? '(not set)'}\n${' '.repeat(15)}${help}: ${rule}`);
    }
  },
};

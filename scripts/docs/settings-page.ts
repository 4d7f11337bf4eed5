import { SETTINGS } from '../../src/settings.ts';
import { code, page, table } from './markdown-table.ts';

/** Every setting. */
export function settingsPage(): string {
  const rows = Object.values(SETTINGS).map(({ variable, fallback, help, rule }) => [
    code(variable),
    fallback === undefined ? 'not set' : code(fallback),
    help,
    rule,
  ]);
  return page(
    'Settings',
    'From the environment. A wrong one stops the start with one line; `tenor settings` shows all of them.',
    table(['variable', 'default', 'what', 'must be'], rows),
  );
}

import { SETTINGS } from '../../src/settings.ts';
import { code, page, table } from './markdown-table.ts';

/** Every setting. */
export function settingsPage(): string {
  const rows = Object.values(SETTINGS).map(
    ({ variable, defaultText, description, requirement }) => [
      code(variable),
      defaultText === undefined ? 'not set' : code(defaultText),
      description,
      requirement,
    ],
  );
  return page(
    'Settings',
    'From the environment. A wrong one stops the start with one line; `tenor settings` shows all of them.',
    table(['variable', 'default', 'what', 'must be'], rows),
  );
}

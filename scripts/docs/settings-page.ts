import { SETTINGS } from '../../src/settings.ts';
import { code, page, table } from './markdown-table.ts';

/** The page with every setting. */
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
    'Settings are environment variables. An invalid one stops the server with one line; `tenor settings` shows all of them. A `.env` file in the working directory is not read: `set -a; . ./.env; set +a` in a shell exports its lines.',
    table(['variable', 'default', 'description', 'must be'], rows),
  );
}

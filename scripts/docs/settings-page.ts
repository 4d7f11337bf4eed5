import { getFileVariable, SETTINGS, type Setting } from '../../src/settings.ts';
import { code, page, table } from './markdown-table.ts';

/** The page with every setting. */
export function settingsPage(): string {
  const rows = Object.values<Setting>(SETTINGS).map(
    ({ variable, defaultText, description, requirement, mayBeInFile }) => [
      code(variable),
      defaultText === undefined ? 'not set' : code(defaultText),
      description,
      mayBeInFile
        ? `${requirement}; or in the file that ${code(getFileVariable(variable))} names`
        : requirement,
    ],
  );
  return page(
    'Settings',
    'Settings are environment variables. An invalid one stops the server with one line; `tenor settings` shows all of them, and `tenor settings --check` what is wrong with them. Settings that may be secret can also be in files, such as secrets of Docker or Kubernetes. A variable that is not a setting, but whose name is nearly that of one (`FOLOW`), is named at the start. A `.env` file in the working directory is not read: `set -a; . ./.env; set +a` in a shell exports its lines.',
    table(['variable', 'default', 'description', 'must be'], rows),
  );
}

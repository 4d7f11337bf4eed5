import type { Command } from '../command.ts';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { exportCommand } from './export.ts';
import { healthCommand } from './health.ts';
import { inspectCommand } from './inspect.ts';
import { loadCommand } from './load.ts';
import { migrateCommand } from './migrate.ts';
import { queryCommand } from './query.ts';
import { retireCommand } from './retire.ts';
import { revertCommand } from './revert.ts';
import { revisionsCommand } from './revisions.ts';
import { serveCommand } from './serve.ts';
import { settingsCommand } from './settings.ts';
import { statusCommand } from './status.ts';
import {
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  tokenRotateCommand,
} from './token.ts';

/** Every command, in the order of the overview. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  inspect: inspectCommand,
  load: loadCommand,
  retire: retireCommand,
  revisions: revisionsCommand,
  revert: revertCommand,
  check: checkCommand,
  status: statusCommand,
  health: healthCommand,
  backup: backupCommand,
  export: exportCommand,
  query: queryCommand,
  'token create': tokenCreateCommand,
  'token list': tokenListCommand,
  'token revoke': tokenRevokeCommand,
  'token rotate': tokenRotateCommand,
  migrate: migrateCommand,
  settings: settingsCommand,
};

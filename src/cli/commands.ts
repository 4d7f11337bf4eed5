import { check } from './check.ts';
import type { Command } from './command.ts';
import { exportCommand } from './export.ts';
import { load } from './load.ts';
import { migrate } from './migrate.ts';
import { query } from './query.ts';
import { retire } from './retire.ts';
import { revert } from './revert.ts';
import { revisions } from './revisions.ts';
import { serve } from './serve.ts';
import { settings } from './settings.ts';
import { tokenCreate, tokenList, tokenRevoke, tokenRotate } from './token.ts';

/** Every command, in the order of the overview. */
export const commands: Readonly<Record<string, Command>> = {
  serve,
  load,
  retire,
  revisions,
  revert,
  check,
  export: exportCommand,
  query,
  'token create': tokenCreate,
  'token list': tokenList,
  'token revoke': tokenRevoke,
  'token rotate': tokenRotate,
  migrate,
  settings,
};

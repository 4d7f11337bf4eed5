import { createLookupTable } from '../../shared/lookup-table.ts';
import type { Command } from '../command.ts';

/**
 * Every command by name, in the order of the overview. Only the one that runs is imported: importing all of
 * them takes longer than running most of them.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = createLookupTable({
  serve: async () => (await import('./serve.ts')).serveCommand,
  'dataset declare': async () => (await import('./dataset.ts')).datasetDeclareCommand,
  'dataset list': async () => (await import('./dataset.ts')).datasetListCommand,
  'dataset show': async () => (await import('./dataset.ts')).datasetShowCommand,
  'dataset rename-code': async () => (await import('./dataset.ts')).datasetRenameCodeCommand,
  'dataset retire': async () => (await import('./dataset.ts')).datasetRetireCommand,
  inspect: async () => (await import('./inspect.ts')).inspectCommand,
  load: async () => (await import('./load.ts')).loadCommand,
  retire: async () => (await import('./retire.ts')).retireCommand,
  revisions: async () => (await import('./revisions.ts')).revisionsCommand,
  revert: async () => (await import('./revert.ts')).revertCommand,
  'candidate list': async () => (await import('./candidate.ts')).candidateListCommand,
  'candidate show': async () => (await import('./candidate.ts')).candidateShowCommand,
  'candidate approve': async () => (await import('./candidate.ts')).candidateApproveCommand,
  'candidate publish': async () => (await import('./candidate.ts')).candidatePublishCommand,
  'candidate withdraw': async () => (await import('./candidate.ts')).candidateWithdrawCommand,
  publish: async () => (await import('./publish.ts')).publishCommand,
  'review require': async () => (await import('./review.ts')).reviewRequireCommand,
  'review list': async () => (await import('./review.ts')).reviewListCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  health: async () => (await import('./health.ts')).healthCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  mirror: async () => (await import('./mirror.ts')).mirrorCommand,
  notify: async () => (await import('./notify.ts')).notifyCommand,
  query: async () => (await import('./query.ts')).queryCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  'token create': async () => (await import('./token.ts')).tokenCreateCommand,
  'token list': async () => (await import('./token.ts')).tokenListCommand,
  'token revoke': async () => (await import('./token.ts')).tokenRevokeCommand,
  'token rotate': async () => (await import('./token.ts')).tokenRotateCommand,
  'link create': async () => (await import('./link.ts')).linkCreateCommand,
  'link list': async () => (await import('./link.ts')).linkListCommand,
  'link revoke': async () => (await import('./link.ts')).linkRevokeCommand,
  'ledger key': async () => (await import('./ledger.ts')).ledgerKeyCommand,
  'ledger rotate-key': async () => (await import('./ledger.ts')).ledgerRotateKeyCommand,
  'ledger restart': async () => (await import('./ledger.ts')).ledgerRestartCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  move: async () => (await import('./move.ts')).moveCommand,
  settings: async () => (await import('./settings.ts')).settingsCommand,
});

/** The commands that begin with a word, such as `token`; without one, all commands. */
export async function importCommands(group?: string): Promise<Record<string, Command>> {
  const selected = Object.entries(COMMANDS).filter(
    ([name]) => group === undefined || name.startsWith(`${group} `),
  );
  const imported = selected.map(async ([name, importCommand]) => [name, await importCommand()]);
  return Object.fromEntries(await Promise.all(imported));
}

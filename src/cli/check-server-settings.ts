import { assertAuditLogWritable } from '../http/pipeline/audit-file.ts';
import { openTls } from '../http/tls/tls-status.ts';
import { checkAdminPort, checkApiToken, checkSingleSignOn, type Settings } from '../settings.ts';
import { assertReplicasAllowed } from '../store/open-store.ts';

/** What a server needs of settings that are each allowed, before it creates a database. */
const SERVER_CHECKS: readonly ((settings: Settings) => unknown)[] = [
  checkAdminPort,
  checkSingleSignOn,
  checkApiToken,
  openTls,
  ({ databaseUrl, databaseReplicas }) => assertReplicasAllowed(databaseUrl, databaseReplicas),
  ({ auditLog }) => assertAuditLogWritable(auditLog),
];

/** Rejects settings with which no server starts; returns a warning of a token that can be guessed. */
export function checkServerSettings(settings: Settings): string | undefined {
  for (const check of SERVER_CHECKS) check(settings);
  return checkApiToken(settings);
}

/** Everything with which no server starts. */
export function findServerProblems(settings: Settings): string[] {
  return SERVER_CHECKS.flatMap((check) => {
    try {
      check(settings);
      return [];
    } catch (cause) {
      return [(cause as Error).message];
    }
  });
}

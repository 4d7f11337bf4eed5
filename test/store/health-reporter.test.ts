import { expect, test } from 'bun:test';
import { createHealthReporter } from '../../src/store/postgres/server-pool/health-reporter.ts';
import type { ReplicationState } from '../../src/store/postgres/server-pool/replication-state.ts';
import type { PostgresServer } from '../../src/store/postgres/server-pool/server.ts';
import type { ServerHealth } from '../../src/store/server-status.ts';

const REVISIONS = { seen: 43, found: 41 };

/** What is reported of one server for a sequence of heartbeats: its health, or why it is gone. */
function reportHeartbeats(heartbeats: readonly string[]): string[] {
  const server = {
    url: 'postgres://u:p@db.example/tenor',
    heartbeat: { revision: REVISIONS.found },
    lastError: '',
  };
  let health: ServerHealth = 'healthy';
  const state = { newestRevision: REVISIONS.seen, getHealth: () => health };
  const reported: string[] = [];
  const report = createHealthReporter(state as unknown as ReplicationState, (name, now, cause) =>
    reported.push([name, now, cause].filter(Boolean).join(' ')),
  );
  for (const heartbeat of heartbeats) {
    health = heartbeat === 'healthy' || heartbeat === 'lagging' ? heartbeat : 'unreachable';
    server.lastError = heartbeat;
    report(server as unknown as PostgresServer);
  }
  return reported;
}

test('a cause of being unreachable is reported at once, and a new one when it stays', () => {
  const [lost, refused] = ['it was lost', 'nothing listens'];
  expect(reportHeartbeats([lost, refused, refused, refused, refused, 'healthy'])).toEqual([
    'db.example/tenor unreachable it was lost',
    'db.example/tenor unreachable nothing listens',
    'db.example/tenor healthy',
  ]);
  expect(reportHeartbeats([lost, refused, lost, refused, lost, refused])).toEqual([
    'db.example/tenor unreachable it was lost',
  ]);
});

test('a server that lags for long is reported with the revision that it has', () => {
  const lagging = Array.from({ length: 8 }, () => 'lagging');
  expect(reportHeartbeats(lagging.slice(1))).toEqual([]);
  expect(reportHeartbeats(lagging)).toEqual([
    'db.example/tenor lagging it has revision 41, and 43 was seen',
  ]);
});

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { createSampleDatabase } from '../../support/explorer.ts';
import { findValue, parseMetrics } from '../../support/parse-metrics.ts';
import { startTenorServer, type TenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { readLog, TOKEN } from '../../support/workers.ts';

setDefaultTimeout(120_000);

let folder: string;
let server: TenorServer;
beforeEach(async () => {
  folder = createTempFolder();
  await createSampleDatabase(join(folder, 'x.db'));
  server = await startTenorServer({
    DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
    API_TOKEN: TOKEN,
    ADMIN_PORT: '0',
    SAMPLE_DATA: 'off',
    // It would take the change of the tables for damage.
    SCRUB_INTERVAL: 'off',
  });
});
afterEach(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

const request = (target: string) =>
  fetch(`${server.address}${target}`, { headers: { Authorization: `Bearer ${TOKEN}` } });

/** The list of funds never ends, without a record, until this is called again. */
function toggleEndlessFunds(isEndless: boolean): void {
  using database = new Database(join(folder, 'x.db'));
  // Views that name the table are left as they are.
  database.run('PRAGMA legacy_alter_table = ON');
  if (!isEndless) {
    database.run('DROP VIEW records_now');
    database.run('ALTER TABLE records_kept RENAME TO records_now');
    return;
  }
  database.run('ALTER TABLE records_now RENAME TO records_kept');
  database.run(`CREATE VIEW records_now AS
    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT * FROM records_kept
    UNION ALL SELECT 'funds', '', '', '', 0 FROM n WHERE n.x < 0`);
}

test('a background thread that does not respond is replaced: its requests get 503, the next ones data', async () => {
  expect((await request('/3.0/funds?q=a')).status).toBe(200);
  toggleEndlessFunds(true);
  const [first, second] = await Promise.all([request('/3.0/funds?q=b'), request('/3.0/funds?q=c')]);
  for (const { status, headers } of [first, second])
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  toggleEndlessFunds(false);
  expect((await request('/3.0/funds?q=d')).status).toBe(200);
  const replaced = readLog(server, 'thread.replaced');
  expect(replaced).toMatchObject([
    { cause: expect.stringMatching(/^the background thread did not respond for 4\.\d s$/) },
  ]);
  // Curves may be fitted as well, and for a while.
  expect(String(replaced[0]?.jobs)).toMatch(/^respond,respond(,respond)?$/);
  const admin = String(readLog(server, 'admin.started')[0]?.address);
  await retryUntil(30_000, async () => {
    const metrics = parseMetrics(await (await fetch(`${admin}/metrics`)).text());
    expect(findValue(metrics, 'tenor_background_jobs', { state: 'running' })).toBe(0);
  });
  // The call that never returns does not keep the process.
  expect((await server.stop()).status).toBe(0);
});

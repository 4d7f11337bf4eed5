import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { explainMissingPostgres, getSharedPostgres } from '../../support/postgres.ts';
import { ROOT, runTenor } from '../../support/run-tenor.ts';
import { runCurlLine, useServingWorkspace } from '../../support/serving-workspace.ts';

setDefaultTimeout(180_000);
const { workspace, start } = useServingWorkspace();

describe.skipIf(explainMissingPostgres() !== undefined)('tenor serve on PostgreSQL', () => {
  let url: string;
  beforeEach(async () => {
    url = await (await getSharedPostgres()).createDatabase();
  });
  afterEach(async () => (await getSharedPostgres()).dropDatabase(url));

  test('stores its token in a file that only its owner can read', async () => {
    const command = ['sh', '-c', `cd "${workspace.folder}" && exec "${ROOT}/bin/tenor" serve`];
    const first = await start({ DATABASE_URL: url }, command);
    const tokenFile = /kept in (\S+)\)/.exec(first.out())?.[1] ?? '';
    expect(tokenFile).toMatch(/^data\/127\.0\.0\.1-\d+-tenor_test_\w+\.private\/local-token$/);
    expect(statSync(join(workspace.folder, tokenFile)).mode & 0o777).toBe(0o600);
    expect(await runCurlLine(first, { no_proxy: '*' })).toEqual({ status: 'ok', data: [] });
    expect((await first.stop()).status).toBe(0);
    const second = await start({ DATABASE_URL: url }, command);
    expect(second.out()).toContain(`Token: kept in ${tokenFile}\n`);
    await second.stop();
  });

  test('exits when the port is in use, although its store is open', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const { status, err } = await runTenor(['serve'], {
      DATABASE_URL: url,
      SAMPLE_DATA: 'off',
      PORT: String(other.port),
      API_TOKEN: 'token-for-the-tests',
    });
    await other.stop(true);
    expect([status, err]).toEqual([1, expect.stringMatching(/^tenor: .*in use.*\n$/)]);
  });
});

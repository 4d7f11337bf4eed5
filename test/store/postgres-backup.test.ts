import { expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { openInspector, openStore, type Store } from '../../src/store/open-store.ts';
import { exportDataset } from '../../src/tabular/export-dataset.ts';
import { retryUntil } from '../support/eventually.ts';
import { runSql } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { publishHistory } from '../support/published-history.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createPostgresStore, createTempFolder } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

setDefaultTimeout(120_000);

/** Why there is no pg_dump for the server; undefined where there is one. */
async function explainMissingPgDump(): Promise<string | undefined> {
  if (Bun.which('pg_dump') === null || Bun.which('pg_restore') === null)
    return 'pg_dump is not installed';
  if (explainMissingPostgres() !== undefined) return explainMissingPostgres();
  const server = await getSharedPostgres();
  const [row] = await runSql(server.url(), 'SHOW server_version_num');
  const serverVersion = Math.floor(Number(row?.server_version_num) / 10_000);
  const { stdout } = Bun.spawnSync(['pg_dump', '--version']);
  const version = Number(/\d+/.exec(stdout.toString())?.[0]);
  return version >= serverVersion ? undefined : `pg_dump ${version} is older than the server`;
}

const missing = await explainMissingPgDump();

test.skipIf(missing !== undefined)(
  `a dump that is restored has the same bytes, and running servers go on with it${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const folder = createTempFolder();
    const file = join(folder, 'tenor.dump');
    const store = await createPostgresStore();
    await publishHistory(store);
    const expected = await exportAll(store);
    runTool('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${store.url}`);
    const server = await startTestServer(store);
    const readRevision = async () => {
      const { status, headers } = await server.request('/2.0/bnb/quotes');
      return [status, headers.get('tenor-revision')];
    };
    // Published after the dump: it is lost with the database.
    await store.publish(quotes, [quote({ symbol: 'LATER' })]);
    const newest = catalogue.length + 2;
    await retryUntil(10_000, async () => expect(await readRevision()).toEqual([200, `${newest}`]));

    await restore(store.url, file);
    expect(await exportAll(store)).toEqual(expected);
    const inspector = await openInspector(store.url, catalogue);
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();

    // A server that has seen the lost revision goes on once an operator gives it up.
    await retryUntil(30_000, async () => expect(await readRevision()).toEqual([503, null]));
    const { status } = await runTenor(['migrate', '--accept-loss', String(newest)], {
      DATABASE_URL: store.url,
    });
    expect(status).toBe(0);
    await retryUntil(30_000, async () =>
      expect(await readRevision()).toEqual([200, `${newest - 1}`]),
    );
    expect(server.events).toContainEqual({ event: 'store.replaced', revision: newest - 1 });
    await server.stop();
    rmSync(folder, { recursive: true });
  },
);

/** Restores a dump into a new database, which then takes the place of the old one. */
async function restore(url: string, file: string): Promise<void> {
  const databases = await getSharedPostgres();
  const restored = await databases.createDatabase();
  runTool('pg_restore', '--exit-on-error', `--dbname=${restored}`, file);
  const [name, restoredName] = [url, restored].map((each) => new URL(each).pathname.slice(1));
  await databases.dropDatabase(url);
  await runSql(databases.url(), `ALTER DATABASE ${restoredName} RENAME TO ${name}`);
}

function runTool(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
}

async function exportAll({ url }: Store & { readonly url: string }): Promise<string[]> {
  const reader = (await openStore(url, catalogue, { preparation: 'none' })).reader();
  try {
    const exported: string[] = [];
    for (const dataset of catalogue) {
      const chunks = await Array.fromAsync(exportDataset(reader, dataset, 'ndjson'));
      exported.push(Buffer.concat(chunks).toString());
    }
    return exported;
  } finally {
    reader.close();
  }
}

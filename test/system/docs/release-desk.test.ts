import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { migrateStore } from '../../../src/store/open-store.ts';
import { withConnection } from '../../support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';
import { findCodeBlocks } from './code-blocks.ts';

const PAGE = 'how-to/release-at-ten-oclock.md';
const ROOT = join(import.meta.dirname, '../../..');

// Starts its own PostgreSQL server, and the command many times.
setDefaultTimeout(120_000);

const ATM_HEADER =
  'year,atm_cash,atm_deposit,deposit_instrument,funds_transfer,utility_bills,funds_transfers,total';

describe.skipIf(explainMissingBinaries() !== undefined)(PAGE, () => {
  let server: PostgresServer;
  let folder: string;
  const urls = { ANN: '', BOB: '' };
  beforeAll(async () => {
    server = await startPostgres();
    folder = createTempFolder();
    const url = await server.createDatabase();
    await withConnection(url, (sql) =>
      sql.unsafe(
        'CREATE ROLE tenor_publisher; CREATE ROLE ann LOGIN IN ROLE tenor_publisher; CREATE ROLE bob LOGIN IN ROLE tenor_publisher',
      ),
    );
    await migrateStore(url, catalogue);
    for (const name of ['ANN', 'BOB'] as const) {
      const own = new URL(url);
      own.username = name.toLowerCase();
      urls[name] = own.href;
    }
    const write = (name: string, ...lines: string[]) =>
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    write('online.csv', 'year,cash_wtl,cash_deposit,funds_transfer,total', '2024,5,1,1,7');
    for (const [name, value] of Object.entries({ first: 1, correction: 2, atm: 3 }))
      write(`${name}.csv`, ATM_HEADER, `2024,${value},1,1,1,1,1,${value + 5}`);
    const atm = ['load', 'atm-transactions-annual-volume', join(folder, 'first.csv')];
    await runTenor(atm, { DATABASE_URL: urls.ANN });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test('its commands publish two datasets at one instant, after a correction of live data', async () => {
    const ten = new Date(Date.now() + 60_000);
    const blocks = findCodeBlocks(PAGE).filter(({ language }) => language === 'sh');
    const outputs: string[] = [];
    for (const { code } of blocks) {
      if (code.includes('--due')) await Bun.sleep(ten.getTime() - Date.now());
      outputs.push(await shell(code, ten.toISOString()));
    }
    const [, staged, shown, changed, , published] = outputs;
    expect(staged).toContain('Staged candidate 2, to be published at');
    expect(shown).toMatch(/added +2024/);
    expect(changed).toContain('stale since revision 2');
    expect(published).toMatch(
      /Candidate 1 is published as revision 3, by bob at (\S+).*\nCandidate 2 is published as revision 4, by bob at \1/,
    );
    const revisions = published?.split('\n').filter((line) => /^[34] /.test(line)) ?? [];
    const instants = revisions.map((line) => line.split(/ +/)[1]);
    expect(instants).toEqual([instants[1], instants[0]]);
    expect(published).toContain('Bank X reported again; 2024 is revised.');
    const head = (await runTenor(['revisions', '3'], { DATABASE_URL: urls.ANN })).out;
    // The author is a name that anybody may claim.
    expect(head).toMatch(
      /^Revision 3 of \S+, published \S+ by bob, staged by ann, approved by bob, for /,
    );
    const { release } = JSON.parse(
      (await runTenor(['revisions', '3', '--json'], { DATABASE_URL: urls.ANN })).out,
    ).options;
    expect(release).toMatchObject({ stagedBy: 'ann', approvedBy: ['bob'], publishedBy: 'bob' });
  });

  async function shell(code: string, ten: string): Promise<string> {
    const npx = `npx() { shift; "${ROOT}/bin/tenor" "$@"; }`;
    const child = spawnChild(['bash', '-eu', '-c', `${npx}\n${code}`], {
      cwd: folder,
      env: { ...process.env, ...urls, TEN: ten },
      stderr: 'pipe',
    });
    const [out, err, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (status !== 0) throw new Error(`${code} ended with ${status}\n${out}\n${err}`);
    return out;
  }
});

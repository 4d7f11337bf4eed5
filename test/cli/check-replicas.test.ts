import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { findFreePort } from '../support/free-port.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createPostgresStore } from '../support/store.ts';

const { removing } = closeAfterEach();

describe.skipIf(explainMissingPostgres() !== undefined)('tenor check with replicas', () => {
  const getAddress = (url: string) => `${new URL(url).host}${new URL(url).pathname}`;
  const createPair = async () => {
    const primary = removing(await createPostgresStore());
    await primary.publish(quotes, [quote({})]);
    const replica = removing(await createPostgresStore(primary.url));
    return { primary, replica };
  };

  test('checks each server and says which one has a fault', async () => {
    const { primary, replica } = await createPair();
    await primary.publish(quotes, [quote({ symbol: 'NEW', isin: 'ZZ0000000024' })]);
    const env = { DATABASE_URL: primary.url, DATABASE_REPLICAS: replica.url };
    const sound = await runTenor(['check'], env);
    expect(sound).toEqual({
      status: 0,
      out: [
        `Server ${getAddress(primary.url)}`,
        'Checked 2 revisions, 2 records: 0 faults, 0 warnings.',
        `Server ${getAddress(replica.url)}`,
        'Checked 1 revision, 1 record: 0 faults, 0 warnings.\n',
      ].join('\n'),
      err: '',
    });
    await replica.query('DROP INDEX quotes_now_by_isin');
    const damaged = await runTenor(['check', '--json'], env);
    expect(damaged.status).toBe(1);
    expect(JSON.parse(damaged.out)).toMatchObject({
      server: getAddress(primary.url),
      faultCount: 0,
      replicas: [
        {
          server: getAddress(replica.url),
          faults: ['structure: index quotes_now_by_isin is missing'],
        },
      ],
      unchecked: [],
    });
  }, 120_000);

  test('reports a replica of another history, and one that it cannot reach', async () => {
    const { primary, replica } = await createPair();
    for (const { store, symbol } of [
      { store: primary, symbol: 'ONE' },
      { store: replica, symbol: 'TWO' },
    ])
      await store.publish(quotes, [quote({ symbol })]);
    const missing = `postgres://127.0.0.1:${findFreePort()}/tenor`;
    const { status, out } = await runTenor(['check'], {
      DATABASE_URL: primary.url,
      DATABASE_REPLICAS: `${replica.url},${missing}`,
    });
    expect(status).toBe(1);
    expect(out).toContain('Fault: ledger: revision 2 is another one on the first server\n');
    expect(out).toContain(`Not checked: cannot reach ${getAddress(missing)}: `);
  }, 120_000);
});

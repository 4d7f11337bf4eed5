import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Tenor } from '../../clients/typescript/src/index.ts';
import { createKiborStore, KIBOR_RECORDS } from '../support/declared-rates.ts';
import { createTempFolder } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

interface Rate {
  readonly date: string;
  readonly tenor: string;
  readonly bid: number;
}

const server = useTestServer(createKiborStore);
const createClient = () => new Tenor({ baseUrl: server.address, token: TOKEN, tries: 1 });

describe('a declared dataset', () => {
  test('is read by its name, by period and by values of its dimension', async () => {
    const tenor = createClient();
    const { data, meta } = await tenor.dataset('kibor', { limit: 4 });
    expect([...data]).toEqual(KIBOR_RECORDS.slice(0, 4));
    expect([meta.revision, meta.hasMore]).toEqual([2, true]);
    const filter = { tenor: ['6M'], from: '2026-06-02', sort: 'asc' } as const;
    const rates = await tenor.dataset.all<Rate>('kibor', filter).toArray();
    expect(rates.map(({ date, tenor: name, bid }) => [date, name, bid])).toEqual([
      ['2026-06-02', '6M', 12.1],
      ['2026-06-03', '6M', 11.1],
    ]);
  });

  test('is read in pages of one revision, and as of one', async () => {
    const pages = await Array.fromAsync(createClient().dataset.pages('kibor', { limit: 4 }));
    expect(pages.map(({ data }) => data.length)).toEqual([4, 2]);
    const past = createClient().asOf(2);
    expect(await past.dataset.all('kibor').toArray()).toEqual(KIBOR_RECORDS);
    await expect(createClient().asOf('2020-01-01').dataset('kibor')).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  test('is aggregated, and given as changes from the period before', async () => {
    const tenor = createClient();
    const weeks = await tenor.dataset('kibor', { tenor: '6M', frequency: 'week' });
    // The dataset has no record after that week, which may go on.
    expect([...weeks.data]).toEqual([
      { date: '2026-W23', tenor: '6M', bid: null, offer: null, observed: 0, expected: 3 },
    ]);
    const { data, meta } = await tenor.dataset('kibor', { tenor: '6M', units: 'chg', limit: 1 });
    expect(data[0]?.bid).toBe(-1);
    expect(meta.units).toEqual(['percentage points', 'percentage points']);
    await expect(tenor.dataset('kibor', { frequency: 'day' as 'week' })).rejects.toMatchObject({
      kind: 'bad_request',
    });
  });

  test('has changes, corrections, revisions, exports and copies by its name', async () => {
    const tenor = createClient();
    const changes = await tenor.changes.all('kibor', { since: 1 }).toArray();
    expect(changes.map(({ record }) => record)).toEqual(KIBOR_RECORDS);
    // The compiler knows the type of a bid, which is not that of a text or a list.
    const bids: (string | number | null | undefined)[] = changes.map(({ record }) => record.bid);
    expect(bids).toEqual(KIBOR_RECORDS.map(({ bid }) => bid));
    expect((await tenor.corrections('kibor')).data).toHaveLength(0);
    expect((await tenor.revisions({ dataset: 'kibor' })).data[0]?.added).toBe(6);
    const csv = await tenor.download('dataset', 'csv', { dataset: 'kibor', tenor: '1M' });
    expect((await csv.text()).split('\r\n')).toHaveLength(5);
    const exported = await (await tenor.export('kibor', 'csv')).text();
    const folder = createTempFolder();
    const path = join(folder, 'kibor.csv');
    expect((await tenor.sync('kibor', path)).changes).toBeUndefined();
    expect((await tenor.sync('kibor', path)).changes).toBe(0);
    expect(await Bun.file(path).text()).toBe(exported);
    rmSync(folder, { recursive: true });
  });
});

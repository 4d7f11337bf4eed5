import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareDatasets, retireDataset } from '../../src/publish/declare-dataset.ts';
import { describeHold } from '../../src/publish/desk/candidate-facts.ts';
import { packLoad } from '../../src/publish/desk/candidate-files.ts';
import { findStale, listHeld } from '../../src/publish/desk/find-stale.ts';
import { ReleaseDesk } from '../../src/publish/desk/release-desk.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { KIBOR, KIBOR_RECORDS } from '../support/declared-rates.ts';
import { createTempFolder, ENGINES, type TestStore } from '../support/store.ts';

setDefaultTimeout(120_000);
const { closing, removing } = closeAfterEach();
const ORIGIN = { source: 'test', author: 'ann' };

describe.each([...ENGINES])('$name: candidates of a dataset', ({ createStore }) => {
  let store: TestStore;
  beforeEach(async () => {
    store = removing(await createStore());
    await declare(KIBOR);
  });

  /** The desk of somebody, with connections of its own as after a restart. */
  function openDesk(account = 'ann'): ReleaseDesk {
    const own = { ...closing(store.candidates()), findAccount: async () => account };
    return new ReleaseDesk(closing(store.publisher()), own);
  }
  const declare = (...declarations: Declaration[]) =>
    declareDatasets(closing(store.publisher()), { declarations, ...ORIGIN });
  const retire = () =>
    retireDataset(closing(store.publisher()), { name: 'kibor', withRecords: true, author: 'ann' });
  const find = () => findStale(openDesk().store, closing(store.reader()));
  const readNewest = () => closing(store.reader()).revision();

  async function stage(dataset: string, records: readonly object[], bundle?: string) {
    const path = join(createTempFolder(), 'a.json');
    writeFileSync(path, JSON.stringify(records));
    const load = { kind: 'load', dataset, options: { mapping: {} } } as const;
    const packed = await packLoad(load, [{ path, name: 'a.json' }], undefined);
    const request = { author: 'ann', bundle, due: undefined, note: undefined };
    return openDesk().stage({ ...packed, ...request });
  }

  test('that is declared with another scope are stale, not published under it, and others are not', async () => {
    await stage(online.name, [online.example]);
    await stage('kibor', KIBOR_RECORDS);
    await openDesk('bob').approve(2);
    await declare({ ...KIBOR, scope: 'quotes' });
    expect(await listHeld(openDesk().store, closing(store.reader()))).toMatchObject([{ id: 2 }]);
    const stale = { staleSince: 2, staleReason: 'declared kibor anew: scope', approvals: [] };
    expect(await find()).toMatchObject([{ id: 2, ...stale }]);
    expect(await find()).toEqual([]);
    const [, candidate] = await openDesk().store.list();
    expect(candidate && describeHold(candidate)).toBe(
      'stale since revision 2, which declared kibor anew: scope',
    );
    await expect(openDesk().publish([2])).rejects.toThrow('revision 2 declared kibor anew: scope');
    await openDesk().publish([1]);
    expect(await readNewest()).toBe(3);
  });

  test('that is declared anew between the last look and the publication are stale by then', async () => {
    await stage('kibor', KIBOR_RECORDS, 'june');
    await stage(online.name, [online.example], 'june');
    for (const id of [1, 2]) await openDesk('bob').approve(id);
    await declare({ ...KIBOR, scope: 'quotes' });
    await expect(openDesk().publish([2])).rejects.toThrow(
      'candidate 1 is stale, since revision 2 declared kibor anew: scope',
    );
    expect(await readNewest()).toBe(2);
    expect(await openDesk().store.list()).toMatchObject([
      { staleSince: 2, approvals: [] },
      { approvals: [{ by: 'bob' }] },
    ]);
    // Nobody has seen yet what it would be published as.
    await expect(openDesk('bob').approve(1)).rejects.toThrow('declared kibor anew: scope: look at');
    await openDesk('bob').approve(1);
    await openDesk().publish([1]);
    expect(await readNewest()).toBe(4);
  });

  test('that is declared anew while somebody looks at them lose their approvals', async () => {
    await stage('kibor', KIBOR_RECORDS);
    await openDesk('bob').approve(1);
    await declare({ ...KIBOR, checks: [{ field: 'bid', max: 5 }] });
    expect(await openDesk('bob').refresh(1)).toMatchObject({ staleSince: 2, approvals: [] });
    await expect(openDesk().publish([1])).rejects.toThrow('declared kibor anew: checks');
    const approved = await openDesk('bob').approve(1);
    expect(approved).not.toHaveProperty('staleReason');
    expect(approved).not.toHaveProperty('staleSince');
    await openDesk().publish([1]);
  });

  test('that is retired are stale, also if it is declared again as it was', async () => {
    await stage('kibor', KIBOR_RECORDS);
    await retire();
    await declare(KIBOR);
    expect(await find()).toMatchObject([{ staleSince: 2, staleReason: 'retired kibor' }]);
    await expect(openDesk('bob').approve(1)).rejects.toThrow('retired kibor');
    await openDesk('bob').approve(1);
    await openDesk().publish([1]);
    expect(await readNewest()).toBe(4);
  });

  test('that has records and gets codes are stale; with other texts, plans or a successor they are not', async () => {
    await stage('kibor', KIBOR_RECORDS.slice(0, 2));
    await openDesk().publish([1]);
    await stage('kibor', KIBOR_RECORDS);
    const texts = { title: 'Rates', notes: ['A note'], source: 'A bank', chart: ['bid'] };
    await declare({ ...KIBOR, ...texts });
    await declare({ ...KIBOR, ...texts, name: 'kibor2', supersedes: 'kibor' });
    expect(await find()).toEqual([]);
    const [tenor] = KIBOR.dimensions ?? [];
    if (!tenor) throw new Error('the example has a dimension');
    const codes = { ...tenor.codes, '3M': 'three months' };
    await declare({ ...KIBOR, ...texts, dimensions: [{ ...tenor, codes }] });
    expect(await find()).toMatchObject([{ id: 2, staleReason: 'declared kibor anew: dimensions' }]);
  });
});

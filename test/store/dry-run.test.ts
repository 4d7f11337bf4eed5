import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { declareDatasets } from '../../src/publish/declare-dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { retireRecords } from '../../src/publish/retire-records.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import type { Publisher } from '../../src/store/open-store.ts';
import {
  createLoadWorkspace,
  type LoadWorkspace,
  type WorkspaceLoadOptions,
} from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

const author = 'test';
const year = (label: string, total: number) => ({
  year: label,
  cash_wtl: total - 2,
  cash_deposit: 1,
  funds_transfer: 1,
  total,
});

describe.each(ENGINES)('$name: a dry run', ({ createStore }) => {
  let workspace: LoadWorkspace;
  let other: Publisher;
  beforeAll(async () => {
    workspace = await createLoadWorkspace(createStore);
    other = workspace.store.publisher({ waitMs: 0 });
    await workspace.store.publish(online, [year('2021', 10), year('2022', 11)]);
    await workspace.store.publish(online, [year('2022', 12)]);
    await workspace.store.publish(quotes, [quote({ date: '2026-06-29' })]);
    await workspace.store.publish(securities, [securities.example]);
  });
  afterAll(async () => {
    other.close();
    await workspace.close();
  });

  /** Runs a callback while another publisher has the write lock, and has changed the same tables. */
  const whilePublishing = <T>(callback: () => Promise<T>): Promise<T> =>
    other.transaction(async (transaction) => {
      transaction.abandon();
      const change = { records: [year('2022', 40), year('2023', 50)], source: 'a', author };
      await publishRecords(transaction, { dataset: online, ...change });
      return callback();
    });
  const load = async (
    dataset: Dataset,
    records: readonly unknown[],
    options?: WorkspaceLoadOptions,
  ) => {
    workspace.writeFile('a.json', JSON.stringify(records));
    const loading = { isDryRun: true, ...options };
    const { counts, report } = await workspace.load(dataset, 'a.json', loading);
    return { ...counts, rules: report.warnings.map(({ rule }) => rule as string) };
  };

  test('of a load needs no write lock, and counts and warns as the load would', async () => {
    const found = await whilePublishing(() =>
      load(online, [year('2021', 10), year('2022', 13), year('2023', 1300)]),
    );
    expect(found).toEqual({
      added: 1,
      corrected: 1,
      unchanged: 1,
      retired: 0,
      rules: ['scale-jump'],
    });
    const days = [quote({ date: '2026-06-29', volume: 1 }), quote({ date: '2026-06-30' })];
    expect(await whilePublishing(() => load(quotes, days))).toMatchObject({
      added: 1,
      corrected: 1,
      retired: 0,
    });
    const terms = [{ ...securities.example, couponRate: 1 }];
    expect(await whilePublishing(() => load(securities, terms))).toMatchObject({ corrected: 1 });
    const replacement = { replace: true, canRetireMany: true };
    expect(
      await whilePublishing(() => load(online, [year('2023', 12)], replacement)),
    ).toMatchObject({ added: 1, retired: 2 });
  });

  test('of other changes needs none either, and names the revision that each would be', async () => {
    const publisher = workspace.store.publisher({ waitMs: 0 });
    const options = { author, isDryRun: true };
    const revisions = await whilePublishing(async () => [
      await retireRecords(publisher, { dataset: online, keys: ['2021'], ...options }),
      (await revertRevision(publisher, catalogue, { revision: 2, ...options })).revision,
      await declareDatasets(publisher, {
        declarations: [{ ...DECLARATION, name: 'one' }],
        source: 'one.json',
        ...options,
      }),
    ]);
    publisher.close();
    expect(revisions).toMatchObject([
      { revision: 5, dataset: online.name, retired: 1 },
      { revision: 5, dataset: online.name, corrected: 1 },
      { revision: 5, dataset: datasets.name, added: 1 },
    ]);
  });

  test('does not keep others from publishing, and leaves nothing behind', async () => {
    const publisher = workspace.store.publisher();
    const inDryRun = (callback: Parameters<Publisher['transaction']>[0]) =>
      publisher.transaction(callback, { isDryRun: true });
    await inDryRun(async (transaction) => {
      const change = { dataset: online, source: 'a', author };
      const dry = await publishRecords(transaction, { ...change, records: [year('2024', 15)] });
      expect(dry).toMatchObject({ revision: 5, added: 1 });
      const published = { records: [year('2024', 16)], source: 'b', author };
      await other.transaction((within) =>
        publishRecords(within, { dataset: online, ...published }),
      );
    });
    publisher.close();
    const records = await workspace.readRecords(online);
    expect(records.map(({ year: label, total }) => [label, total])).toEqual([
      ['2024', 16],
      ['2022', 12],
      ['2021', 10],
    ]);
    expect(await workspace.readRevision()).toBe(5);
  });
});

const DECLARATION = {
  title: 'One',
  period: { kind: 'year', field: 'year' },
  measures: [{ field: 'value', title: 'Value', unit: 'units', kind: 'stock' }],
};

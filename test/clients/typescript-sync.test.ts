import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { COPY_FORMATS, mergeChanges } from '../../clients/typescript/src/copy-format.ts';
import type { DatasetName, Tenor } from '../../clients/typescript/src/index.ts';
import { syncCopy } from '../../clients/typescript/src/sync.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { branchlessBankingAgents as agents } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, createTempFolder, type TestStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';
import {
  catchError,
  createClient,
  errorResponse,
  startScriptedServer,
} from './typescript-support.ts';

const FORMATS = ['csv', 'ndjson'] as const;
const instant = (second: number) => Date.parse('2026-05-01T00:00:00Z') + second * 1_000;
const build = (symbol: string, volume = 1, day = 1) =>
  quote({ symbol, volume, date: `2026-04-${String(day).padStart(2, '0')}` });

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const servers = [createStore, createStore].map((create) => useTestServer(create));
const [server, other] = servers as [(typeof servers)[0], (typeof servers)[0]];

/** Synchronises both formats of a copy, and compares them with the exports. */
async function sync(
  tenor: Tenor,
  dataset: DatasetName,
  from = server,
  formats: readonly string[] = FORMATS,
) {
  await from.awaitPublished();
  const results = new Set<string>();
  for (const format of formats) {
    const path = join(folder, `${dataset}.${format}`);
    const { revision, changes } = await tenor.sync(dataset, path);
    results.add(`${revision} ${changes}`);
    const exported = await from.request(`/exports/${dataset}.${format}`);
    expect(readFileSync(path, 'utf8')).toBe(await exported.text());
  }
  expect(results.size).toBe(1);
  return [...results][0];
}

/** Publishes the next of twenty revisions: additions, corrections, retirements, and a revert. */
async function publishNext(store: TestStore, index: number): Promise<void> {
  if (index === 17) {
    const publisher = store.publisher();
    await revertRevision(publisher, catalogue, { revision: 17, author: 'test' });
    return publisher.close();
  }
  if (index % 5 === 3) {
    const security = (symbol: string, name: string | null) => ({
      ...securities.example,
      symbol,
      name,
      couponRate: index / 3,
    });
    const records = [security(`a${index}`, null), security('B', `"${index}"`), security('_', null)];
    await publishAt(store, instant(index), securities, { records });
  } else if (index % 5 === 4) {
    const record = { ...agents.example, period: `Jan 20${index + 10}` };
    await publishAt(store, instant(index), agents, { records: [record] });
  } else {
    const symbols = ['A', '=A', '3', "'-b", 'Ä "x"', '𝄞', 'ﬀ'].slice(0, (index % 5) + 5);
    const records = symbols.map((symbol, position) =>
      build(symbol, index, ((index + position) % 9) + 1),
    );
    const retired = index % 4 === 2 ? [getKey(quotes, build('A', 0, ((index - 1) % 9) + 1))] : [];
    await publishAt(store, instant(index), quotes, { records, retiredKeys: retired });
  }
}

test('mergeChanges does not apply changes that have other columns than the copy', () => {
  const [csv] = COPY_FORMATS;
  if (!csv) throw new Error('there is no CSV');
  const order = [['symbol', 'ascending']] as const;
  const copy = 'symbol,name\r\nA,a\r\nC,"c,""d"""\r\n';
  const merge = (page: string) => mergeChanges(copy, [page], csv, order);
  expect(merge('change,symbol,name\r\nadded,B,b\r\nretired,C,x\r\n')).toEqual({
    text: 'symbol,name\r\nA,a\r\nB,b\r\n',
    count: 2,
  });
  expect(merge('change,symbol,name,issuer\r\nadded,B,b,i\r\n')).toBeUndefined();
});

describe('syncCopy', () => {
  test('keeps copies in step through twenty publications, corrections, retirements and a revert', async () => {
    const client = createClient(server);
    const outcomes = new Set<string>();
    for (let index = 0; index < 20; index += 1) {
      await publishNext(server.store, index);
      const outcome = await sync(client, 'quotes');
      expect(outcome).toStartWith(`${index + 1} `);
      outcomes.add(outcome?.split(' ')[1] ?? '');
      if (index % 5 === 3)
        expect(await sync(client, 'securities')).toEndWith(index > 3 ? '3' : 'd');
      if (index % 5 === 4)
        expect(await sync(client, agents.name as DatasetName)).toEndWith('undefined');
    }
    expect(outcomes).toContain('undefined');
    expect(outcomes).toContain('0');
    expect(outcomes.size).toBeGreaterThan(3);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('copies everything if the file or the database is another one', async () => {
    const client = createClient(server);
    expect(await sync(client, 'quotes')).toBe('20 undefined');
    for (const format of FORMATS) appendFileSync(join(folder, `quotes.${format}`), '{}');
    expect(await sync(client, 'quotes')).toBe('20 undefined');
    await publishAt(other.store, instant(99), quotes, { records: [build('A')] });
    // The service waits a second for the revision of each copy.
    expect(await sync(createClient(other), 'quotes', other, ['csv'])).toBe('1 undefined');
    expect(await sync(client, 'quotes', server, ['csv'])).toBe('20 undefined');
    // Of neither dataset anything is published.
    const path = join(folder, 'empty.csv');
    for (const name of ['funds', 'fund-allocation'] as const) {
      await client.sync(name, path);
      const exported = await server.request(`/exports/${name}.csv`);
      expect(readFileSync(path, 'utf8')).toBe(await exported.text());
    }
    await expect(client.sync('quotes', 'x.parquet')).rejects.toThrow('.csv or .ndjson');
  });

  test('reads a database that was replaced by one with fewer revisions, with the same client', async () => {
    let { address } = server;
    const client = createClient(server, {
      fetch: (url, init) => fetch(url.replace(server.address, address), init),
      tries: 1,
    });
    expect(await sync(client, 'quotes', server, ['csv'])).toBe('20 undefined');
    address = other.address;
    expect(await sync(client, 'quotes', other, ['csv'])).toBe('1 undefined');
    // The client does not ask for revision 20 any more, which the service would wait for.
    expect((await client.quotes()).meta.revision).toBe(1);
  });

  test('leaves the copy as it was if the service or the disk fails', async () => {
    const path = join(folder, 'quotes.csv');
    await syncCopy(createClient(server), 'quotes', path);
    const before = readFileSync(path, 'utf8');
    await using failing = startScriptedServer(errorResponse(403, 'forbidden'));
    const error = await catchError(syncCopy(failing.client(), 'quotes', path));
    expect(error).toMatchObject({ kind: 'forbidden' });
    expect(readFileSync(path, 'utf8')).toBe(before);
    // A file cannot take the place of a folder.
    mkdirSync(join(folder, 'folder.csv'));
    const failed = syncCopy(createClient(server), 'quotes', join(folder, 'folder.csv'));
    await expect(failed).rejects.toThrow('EISDIR');
    rmdirSync(join(folder, 'folder.csv'));
    expect(readdirSync(folder).sort()).toEqual(['quotes.csv', 'quotes.csv.tenor.json']);
  });

  test('requests a response again that is interrupted', async () => {
    let cuts = 0;
    const client = createClient(server, {
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (!url.includes('/exports/') || ++cuts > 2) return response;
        const body = new ReadableStream({
          start: (controller) => controller.error(new TypeError('terminated')),
        });
        return new Response(body, response);
      },
    });
    const path = join(folder, 'quotes.csv');
    expect(await client.sync('quotes', path)).toEqual({ revision: 20, changes: undefined });
    expect(cuts).toBe(3);
  });

  test('writes whole files if two calls run at once, and removes old parts of killed ones', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(folder, `quotes.csv.${name}.part`));
    for (const part of [old, young]) appendFileSync(part ?? '', 'x');
    utimesSync(old ?? '', 0, 0);
    const client = createClient(server);
    const path = join(folder, 'quotes.csv');
    await Promise.all([1, 2, 3].map(() => syncCopy(client, 'quotes', path)));
    const exported = await server.request('/exports/quotes.csv');
    expect(readFileSync(path, 'utf8')).toBe(await exported.text());
    const parts = readdirSync(folder).filter((name) => name.endsWith('.part'));
    expect(parts).toEqual(['quotes.csv.young.part']);
  });
});

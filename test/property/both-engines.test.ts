import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
import { tableBeside, tableOf } from '../../src/derive/table.ts';
import { check } from '../../src/publish/check.ts';
import { emptyPair, type Pair } from '../support/both/pair.ts';
import { play } from '../support/both/play.ts';
import { type Asking, anyRequest } from '../support/both/requests.ts';
import { anyWorld } from '../support/both/worlds.ts';
import { exactly, lasting } from '../support/exact.ts';
import { linked } from '../support/pages.ts';
import { postgresAbsent } from '../support/postgres.ts';
import { serviceOver, type TestService } from '../support/service.ts';
import { type TestStore, tempFolder } from '../support/store.ts';

let folder: string;
beforeAll(() => {
  folder = tempFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

const MOST_PAGES = 40;

describe.skipIf(postgresAbsent() !== undefined)('both engines', () => {
  test('give the same bytes for any request after any history', async () => {
    const requests = fc.array(anyRequest, { minLength: 30, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(anyWorld, requests, async (world, drafts) => {
        const T = [performance.now()];
        const { sqlite, postgres } = await emptyPair();
        T.push(performance.now());
        const outcomes = await play(sqlite, world, folder);
        expect(await play(postgres, world, folder)).toEqual(outcomes);
        T.push(performance.now());
        await expectSameTables({ sqlite, postgres });
        T.push(performance.now());

        const about = { names: world.names, instants: await instantsOf(sqlite) };
        const [one, other] = [await serviceOver(sqlite), await serviceOver(postgres)];
        for (const draft of drafts) await expectSameAnswers(one, other, draft(about));
        T.push(performance.now());
        await Promise.all([one.stop(), other.stop()]);
        T.push(performance.now());
        console.log(
          T.slice(1)
            .map((t, i) => Math.round(t - T[i]))
            .join(' '),
          outcomes.length,
        );
      }),
      { numRuns: 40 },
    );
  }, 180_000);
});

/** Asks both the same, and follows the links that they give. */
async function expectSameAnswers(one: TestService, other: TestService, asked: Asking) {
  let next: string | undefined = asked.target;
  for (let page = 0; next !== undefined && page < MOST_PAGES; page++) {
    const asking = { ...asked, target: next };
    const [reply, counterpart] = await Promise.all([askOf(one, asking), askOf(other, asking)]);
    expect({ asking, ...counterpart }).toEqual({ asking, ...reply });
    expect(reply.status).toBeLessThan(500);
    next = linked(new Headers(reply.headers), 'next');
  }
}

/** A reply as far as it depends on what was asked for. */
async function askOf(service: TestService, { method, target, headers }: Asking) {
  const { status, bytes, headers: told } = await exactly(service, target, headers, method);
  return { status, headers: lasting(told), body: Buffer.from(bytes).toString('latin1') };
}

async function instantsOf(store: TestStore): Promise<string[]> {
  const rows = await store.rows('SELECT published_at AS instant FROM revisions');
  return rows.map(({ instant }) => String(instant));
}

/** That both hold the same texts for the same time, in the same ledger; and that all is whole. */
async function expectSameTables({ sqlite, postgres }: Pair): Promise<void> {
  const tables = catalogue.flatMap((dataset) =>
    [tableOf(dataset), tableBeside(dataset) ?? []].flat(),
  );
  const rows = tables.map(
    ({ now, past }) => `SELECT '${now}' AS kept, record, since, NULL AS until FROM ${now}
      UNION ALL SELECT '${past}', record, since, until FROM ${past}`,
  );
  const kept = async (store: TestStore) =>
    (await store.rows(rows.join(' UNION ALL '))).map((row) => JSON.stringify(row)).toSorted();
  const ledger = ({ rows }: TestStore) => rows('SELECT * FROM revisions ORDER BY revision');
  expect(await kept(postgres)).toEqual(await kept(sqlite));
  expect(await ledger(postgres)).toEqual(await ledger(sqlite));
  for (const store of [sqlite, postgres]) {
    const inspector = store.inspector();
    expect((await check(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
  }
}

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Comparison } from '../../../bench/releases/compare-responses.ts';
import { RequestGenerator } from '../../../bench/releases/request-generator.ts';
import { createSamplePublications } from '../../../scripts/sample/sample-publications.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { Random } from '../../simulation/random.ts';
import { createFollower } from '../../support/create-follower.ts';
import { createStore, ENGINES, REPETITIONS } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';

setDefaultTimeout(600_000);

const REQUESTS = 500 * REPETITIONS;
const Authorization = `Bearer ${TOKEN}`;

const source = startSource();
afterAll(async () => (await source).stop());

async function startSource(): Promise<TestServer> {
  const store = await createStore();
  const publisher = store.publisher();
  await publisher.transaction(async (transaction) => {
    for (const publication of createSamplePublications())
      await publishRecords(transaction, publication);
  });
  publisher.close();
  return startTestServer(store);
}

/** What requests can name. */
async function readContent(server: TestServer) {
  const list = async (target: string, field: string): Promise<string[]> => {
    const { data } = await server.getJson(target);
    return data.map((entry: Record<string, string>) => entry[field]);
  };
  const revisions = '/revisions?limit=10000';
  return {
    symbols: await list('/2.0/bnb/securities?limit=40', 'symbol'),
    fundIds: await list('/3.0/funds', 'fund_id'),
    instants: (await list(revisions, 'publishedAt')).toReversed(),
    changedDatasets: (await list(revisions, 'dataset')).toReversed(),
  };
}

describe.each([...ENGINES])('a follower on $name', ({ createStore: createOwn }) => {
  test('gives the same bytes and ETags as its source to random requests', async () => {
    const server = await source;
    const own = await createOwn();
    const follower = createFollower(own, server.address);
    expect(await follower.poll()).toMatchObject({ state: 'following' });
    follower.close();
    const copy = await startTestServer(own);
    const document = await server.getJson('/openapi.json');
    const seed = Date.now() % 2 ** 31;
    const generator = new RequestGenerator(document, await readContent(server), new Random(seed));
    // Cursors are signed by each server with a secret of its own, and tags of lists cover them.
    const compare = (...ignored: string[]) => new Comparison(server.address, copy.address, ignored);
    const [lists, others] = [compare('link', 'etag'), compare('link')];
    // A large export has its digest once it was created to its end, on each server by itself.
    const exports = compare('link', 'repr-digest');
    for (let count = 0; count < REQUESTS; count++) {
      const { headers, ...request } = generator.draw();
      // A signed link has the secret of its server, and the instant of the request; keys are a server's own.
      if (/^\/(?:links\/sign|follow)(?:\?|$)/.test(request.target)) continue;
      const [, name] = request.target.split(/[/?]/);
      const comparison = name === 'revisions' ? lists : name === 'exports' ? exports : others;
      await comparison.compare({ ...request, headers: { ...headers, Authorization } }, 1);
    }
    await copy.stop();
    console.log(`seed ${seed}: ${JSON.stringify(others.statuses)}`);
    for (const { differing, differences } of [lists, exports, others])
      expect([differences.map(({ text }) => text).slice(0, 5), differing]).toEqual([[], {}]);
  });
});

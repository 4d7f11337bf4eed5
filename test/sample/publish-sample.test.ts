import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSampleFiles, SAMPLE_FOLDER } from '../../scripts/sample/write-files.ts';
import { publishSample } from '../../src/sample/publish-sample.ts';
import type { PublishTransaction } from '../../src/store/open-store.ts';
import { ENGINES } from '../support/store.ts';

setDefaultTimeout(120_000);

// Update this when the sample changes on purpose.
const DIGEST = '808dc26f3e3e95c94b8c71c3e970e3eaff627dd21a77a4fb6b6fd7bdbfcf760c';

test('the generator makes the files of examples/sample again, and there are no others', async () => {
  const files = await generateSampleFiles();
  expect(readdirSync(SAMPLE_FOLDER).toSorted()).toEqual(files.map(({ name }) => name).toSorted());
  let bytes = 0;
  for (const { name, content } of files) {
    const stored = readFileSync(join(SAMPLE_FOLDER, name));
    bytes += stored.length;
    const plain = name.endsWith('.gz') ? Bun.gunzipSync(stored) : stored;
    expect([name, hashSha256(plain)]).toEqual([name, hashSha256(content)]);
  }
  expect(bytes).toBeLessThan(3_000_000);
});

describe.each([...ENGINES])('on $name', ({ createStore }) => {
  test('a first start publishes the 28 revisions that the sample has always had, record by record', async () => {
    await using store = await createStore();
    const publisher = store.publisher();
    await publisher.transaction(publishSample);
    const revisions = await publisher.revisions();
    publisher.close();
    expect(revisions.filter(({ files }) => files.length === 0)).toEqual([]);
    const digests = await store.query('SELECT changes FROM revision_digests ORDER BY revision');
    const described = revisions
      .toSorted((a, b) => a.revision - b.revision)
      .map(({ files: _, ...revision }, index) => ({ ...revision, ...digests[index] }));
    expect(described).toHaveLength(28);
    const fields = Object.fromEntries(Object.entries(described[0] ?? {}).sort());
    expect(hashSha256(JSON.stringify(described, Object.keys(fields)))).toBe(DIGEST);
  });
});

test('a publication of the sample that ends in the middle leaves an empty database, which the next one fills', async () => {
  const [engine] = ENGINES;
  await using store = await (engine as (typeof ENGINES)[number]).createStore();
  const publisher = store.publisher();
  let staged = 0;
  const interrupt = (transaction: PublishTransaction) =>
    publishSample({
      ...transaction,
      stage: (change) => {
        staged++;
        if (staged === 20) throw new Error('interrupted');
        return transaction.stage(change);
      },
    });
  await expect(publisher.transaction(interrupt)).rejects.toThrow('interrupted');
  expect(await publisher.revisions()).toEqual([]);
  await publisher.transaction(publishSample);
  expect(await publisher.revisions()).toHaveLength(28);
  publisher.close();
});

function hashSha256(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex');
}

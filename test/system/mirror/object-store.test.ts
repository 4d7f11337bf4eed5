import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { generateQuotes } from '../../support/generate-quotes.ts';
import { readFiles } from '../../support/mirror-folder.ts';
import { explainMissingObjectStore, startObjectStore } from '../../support/object-store.ts';
import { publishHistory } from '../../support/published-ledger.ts';
import { ROOT, runTenorProcess, spawnTenor } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createStore, createTempFolder, type TestStore } from '../../support/store.ts';

const missing = explainMissingObjectStore();
if (missing) console.log(`Mirrors in object stores are not tested: ${missing}`);

describe.skipIf(missing !== undefined)('a mirror in a bucket', () => {
  let store: TestStore;
  let objects: Awaited<ReturnType<typeof startObjectStore>>;
  const folder = createTempFolder();
  beforeAll(async () => {
    [store, objects] = [await createStore(), await startObjectStore()];
    await publishHistory(store);
    // More than one part of an upload.
    await store.publish(quotes, generateQuotes(['2026-06-01', '2026-07-01'], 12_000));
  });
  afterAll(async () => {
    await objects.stop();
    await store.remove();
    rmSync(folder, { recursive: true });
  });

  const mirror = (args: readonly string[], env = {}) =>
    runTenorProcess(['mirror', ...args], { DATABASE_URL: store.url, ...objects.env, ...env });

  test('has the same files as one in a folder, and is checked and verified like that', async () => {
    expect(await mirror(['s3://mirror/a/b'])).toMatchObject({ status: 0, err: '' });
    await mirror([join(folder, 'mirror')]);
    const files = readFiles(join(folder, 'mirror'));
    expect(readFiles(join(objects.bucket, 'a/b'))).toEqual(files);
    expect(files.get('changes/7.ndjson')?.length).toBeGreaterThan(5 * 2 ** 20);
    expect((await mirror(['s3://mirror/a/b'])).out).toContain('already has revision 7');
    expect((await mirror(['s3://mirror/a/b', '--check'])).status).toBe(0);
    const verified = await runTenorProcess(['verify', 's3://mirror/a/b'], objects.env);
    expect(verified.out).toContain('Verified: 7 revisions of ');
  });

  test('is a revision or a later one when it is killed', async () => {
    for (let kill = 1; kill <= 5; kill++) {
      const args = ['mirror', 's3://mirror/killed'];
      const child = spawnTenor(args, { DATABASE_URL: store.url, ...objects.env });
      await Promise.race([Bun.sleep(kill * 150), child.exited]);
      child.kill('SIGKILL');
      await child.exited;
      const { status, err } = await mirror(['s3://mirror/killed', '--check']);
      if (status !== 0) expect(err).toContain('it has no latest.json');
    }
    expect((await mirror(['s3://mirror/killed'])).status).toBe(0);
    expect((await mirror(['s3://mirror/killed', '--check'])).status).toBe(0);
  });

  test('has nothing of a file whose content ends with an error, however much was sent', async () => {
    // Bun takes credentials from the environment that a process begins with.
    const script = `
      const { openMirrorTarget } = await import('${ROOT}/src/mirror/mirror-target.ts');
      const target = openMirrorTarget('s3://mirror');
      for (const count of [1, 20]) {
        const failing = (async function* () {
          for (let part = 0; part < count; part++) yield new Uint8Array(1_000_000);
          throw new Error('damaged');
        })();
        console.log(await target.write('changes/1.ndjson', failing).catch(({ message }) => message));
      }
      console.log(await target.has('changes/1.ndjson'));
      console.log((await target.read('changes/1.ndjson')).status);`;
    const env = { ...process.env, ...objects.env };
    const child = spawnChild([process.execPath, '-e', script], { env });
    expect(await new Response(child.stdout).text()).toBe('damaged\ndamaged\nfalse\n404\n');
  });

  test.each([
    [['s3://other/a'], {}, 'NoSuchBucket: The specified bucket does not exist'],
    [['s3://mirror/a'], { AWS_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
    [['s3://mirror/a'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }, 'ConnectionRefused'],
    [['s3://mirror/a'], { AWS_ACCESS_KEY_ID: '' }, 'Missing S3 credentials'],
  ])('%j with %j is an error that says why', async (args, env, message) => {
    const { status, err } = await mirror(args, env);
    expect(status).toBe(1);
    expect(err).toContain(`tenor: ${args[0]}: cannot read latest.json: `);
    expect(err).toContain(message);
  });
});

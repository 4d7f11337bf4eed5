import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { copyStore } from '../support/copy-store.ts';
import { FakeLedger } from '../support/fake-ledger.ts';
import { mirrorTo } from '../support/mirror-folder.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { createStore, createTempFolder } from '../support/store.ts';
import { startTestServer, TOKEN } from '../support/test-server.ts';

const add = (id: string) => ({ change: 'added', record: { id, value: 1 } }) as const;

let [ledger, folder, url, state]: [FakeLedger, string, string, string] = [] as never;
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  ledger = await FakeLedger.create();
  await ledger.publish('rates', add('a'), add('b'));
  folder = createTempFolder();
  state = join(folder, 'state.json');
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => ledger.fetch(url) });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => {
  server.stop(true);
  rmSync(folder, { recursive: true });
});

const verify = (...args: string[]) =>
  runTenor(['verify', url, ...args], { TENOR_TOKEN: `tenor_${'x'.repeat(43)}` });
const readState = () => JSON.parse(readFileSync(state, 'utf8'));

test('keeps what it has verified in a file that only its owner reads, and compares with it', async () => {
  const first = await verify('--state', state);
  expect(first).toMatchObject({ status: 0, err: `tenor: querying ${url}\n` });
  expect(first.out).toContain('Verified: 1 revision of fake.example/log, with the hash ');
  expect(first.out).toContain(
    `no earlier state to compare the log with. ${state} is kept for the next time.`,
  );
  expect(first.out).toContain('(first seen, not compared with anything)');
  expect(first.out).toContain('Records that match their publication: rates 2.');
  expect(statSync(state).mode & 0o777).toBe(0o600);
  expect(readState()).toMatchObject({ origin: 'fake.example/log', key: ledger.key, size: 1 });
  await ledger.publish('rates', add('c'));
  await ledger.rotateKey();
  const second = await verify('--state', state);
  expect(second.out).toMatch(/The log begins with the 1 revision of \d{4}-.*Z\./);
  expect(second.out).toContain(`The key was replaced, signed by the previous one: ${ledger.key}`);
  const third = await verify('--state', state, '--json', '--log-only');
  expect(JSON.parse(third.out)).toMatchObject({ status: 'verified', size: 2, previousSize: 2 });
});

test('leaves its file as it was after an alarm, which has an exit status of its own', async () => {
  const kept = readFileSync(state, 'utf8');
  const [entry = ''] = ledger.entries;
  ledger.entries[0] = entry.replace('"salt":"00"', '"salt":"01"');
  const alarm = await verify('--state', state);
  expect(alarm).toMatchObject({ status: 1, out: '' });
  expect(alarm.err).toContain('forked: The log has 2 revisions as it had');
  const { out, status } = await verify('--state', state, '--json');
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ status: 'alarm', problems: [{ problem: 'forked' }] });
  ledger.entries[0] = entry;
  expect(readFileSync(state, 'utf8')).toBe(kept);
});

test('has an exit status of its own for a server that is behind, and keeps its file', async () => {
  const [kept, entry = '', lines = []] = [
    readFileSync(state, 'utf8'),
    ledger.entries.pop(),
    ledger.lines.pop(),
  ];
  const behind = await verify('--state', state);
  expect(behind).toMatchObject({ status: 5, out: '' });
  expect(behind.err).toContain('tenor: behind: The server is behind: its log has 1 revisions, ');
  expect(behind.err).toContain('tenor ledger restart before publishing');
  const { out, status } = await verify('--state', state, '--json');
  expect([status, JSON.parse(out)]).toMatchObject([5, { status: 'behind' }]);
  expect(readFileSync(state, 'utf8')).toBe(kept);
  const other = join(folder, 'other.json');
  ledger.overrides.set('/ledger/keys', () => {
    ledger.overrides.clear();
    writeFileSync(other, kept);
    return Response.json({ data: { key: ledger.key, keys: ledger.keys } });
  });
  expect((await verify('--state', other, '--log-only')).status).toBe(0);
  // What another command has verified meanwhile is later.
  expect(readFileSync(other, 'utf8')).toBe(kept);
  ledger.entries.push(entry);
  ledger.lines.push(lines);
});

test('names the first problems of many, and all of them as JSON', async () => {
  const honest = ledger;
  ledger = await FakeLedger.create();
  for (let revision = 1; revision <= 23; revision++) await ledger.publish('rates', add('a'));
  ledger.lines.fill([]);
  const { status, err } = await verify();
  expect(status).toBe(1);
  expect(err).toMatch(
    /\naltered-changes: .* revision 20 .*\n… and 3 more; --json shows all of them\n$/,
  );
  expect(JSON.parse((await verify('--json')).out).problems).toHaveLength(23);
  ledger = honest;
});

test('says once that several requests at the same time are rate limited', async () => {
  for (const revision of [1, 2]) {
    const path = `/ledger/entries/${revision}`;
    ledger.overrides.set(path, () => {
      ledger.overrides.delete(path);
      const body = { status: 'error', message: 'too_many_requests' };
      return Response.json(body, { status: 429, headers: { 'Retry-After': '1' } });
    });
  }
  const { status, err } = await verify();
  expect([status, err.match(/rate limited; retrying in 1 s/g)?.length]).toEqual([0, 1]);
});

test('accepts a log that was begun again by its name', async () => {
  const text = readFileSync(state, 'utf8');
  ledger.truncate(1);
  await ledger.restart('fake.example/again');
  ledger.records.rates = [add('a').record, add('b').record];
  const restarted = await verify('--state', state);
  expect(restarted.status).toBe(1);
  expect(restarted.err).toContain('restarted: The log was begun again as fake.example/again');
  const accepted = await verify('--state', state, '--accept-restart', 'fake.example/again');
  expect(accepted.out).toContain('The log was restarted after revision 1, which was accepted');
  expect(readState()).toMatchObject({ origin: 'fake.example/again', size: 1 });
  writeFileSync(state, text);
});

test('says what cannot be verified with another exit status than an alarm', async () => {
  const broken = join(folder, 'broken.json');
  for (const [args, message] of [
    [['--key', 'no key'], '--key must be a verifier key'],
    [['--dataset', 'none'], 'there is no dataset "none" that can be read; there are rates'],
    [['--log-only', '--dataset', 'rates'], '--log-only and --dataset cannot be combined'],
    [['--state', broken], '--state must be the one'],
    [['--state', ''], '--state must be a file that can be written, not ""'],
    [['--state', folder], `--state ${folder} is a folder`],
    [['--state', join(folder, 'none', 'state')], '--state must be a file that can be written'],
  ] as const) {
    writeFileSync(broken, '{"key":"none"}');
    const { status, err } = await verify(...args);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  }
  const unreachable = await runTenor(['verify', 'http://127.0.0.1:1'], { API_TOKEN: 'test-token' });
  expect(unreachable).toMatchObject({ status: 2 });
  expect(unreachable.err).toContain('cannot reach http://127.0.0.1:1');
  expect(existsSync(join(folder, 'none'))).toBe(false);
  const store = await createStore();
  for (const [databaseUrl, message] of [
    ['none', 'DATABASE_URL must be'],
    [`sqlite:${folder}/none.db`, 'there is no database'],
    [store.url, 'There is no log at this address'],
  ] as const) {
    const { status, err } = await runTenor(['verify'], { DATABASE_URL: databaseUrl });
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  }
});

test('says that a server does not answer', async () => {
  const timeout = new DOMException('The operation timed out.', 'TimeoutError');
  const silent = spyOn(globalThis, 'fetch').mockRejectedValue(timeout);
  const { status, err } = await verify();
  silent.mockRestore();
  expect(status).toBe(2);
  expect(err).toContain(`cannot reach ${url}: The operation timed out.`);
});

test('says how to verify with a token of a low rate', async () => {
  const headers = { 'retry-after': '107' };
  const body = { status: 'error', message: 'too_many_requests' };
  ledger.overrides.set('/exports/rates.ndjson', () =>
    Response.json(body, { status: 429, headers }),
  );
  const { status, err } = await verify();
  ledger.overrides.clear();
  expect(status).toBe(2);
  expect(err).toContain('too_many_requests; the server responds again in 107 s. --dataset and ');
});

test('verifies the log alone without a token', async () => {
  const { status, out } = await runTenor(['verify', url, '--log-only'], {});
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining('Only the log was') });
  const all = await runTenor(['verify', url], {});
  expect(all).toMatchObject({ status: 2, err: expect.stringContaining('a token is required') });
});

test('verifies a server, or a database without one, until another one is put in its place', async () => {
  const path = join(folder, 'service.json');
  const store = await createStore();
  const server = await startTestServer(store);
  const run = (...args: string[]) =>
    runTenor(['verify', '--state', path, ...args], { API_TOKEN: TOKEN, DATABASE_URL: store.url });
  await publishAt(store, '2026-08-01', quotes, { records: [quote({})] });
  const copy = await copyStore(store);
  try {
    expect((await run(server.address)).out).toContain('quotes 1,');
    await publishAt(store, '2026-08-02', quotes, { records: [quote({ symbol: 'NEW' })] });
    const second = await run();
    expect(second).toMatchObject({ status: 0, err: '' });
    expect(second.out).toContain('The log begins with the 1 revision of ');
    for (const volume of [1, 2])
      await publishAt(copy, '2026-08-02', quotes, { records: [quote({ volume })] });
    const third = await runTenor(['verify', '--state', path], { DATABASE_URL: copy.url });
    expect(third.status).toBe(1);
    expect(third.err).toContain('rewritten: The log of 3 revisions does not begin with the 2 ');
  } finally {
    await server.stop();
    await copy.remove();
  }
});

test('verifies a mirror by its URL or folder, with the state of its server', async () => {
  const store = await createStore();
  for (const volume of [1, 2, 3])
    await publishAt(store, Date.now(), quotes, { records: [quote({ volume })] });
  const mirror = join(folder, 'mirror');
  await mirrorTo(store, mirror, { scopes: ['quotes'], since: 2 });
  const served = await startTestServer(store);
  const kept = join(folder, 'mirror-state.json');
  await runTenor(['verify', served.address, '--state', kept], { TENOR_TOKEN: TOKEN });
  await served.stop();
  const files = serveFolder(mirror);
  for (const address of [mirror, String(files.url)]) {
    const { status, out, err } = await runTenor(['verify', address, '--state', kept]);
    expect({ status, err }).toEqual({ status: 0, err: `tenor: reading the mirror ${address}\n` });
    expect(out).toContain('The log begins with the 3 revisions of ');
    expect(out).toContain(
      'The mirror begins with revision 2, whose records were accepted without verification.',
    );
    expect(out).toContain('Records that match their publication: quotes 1');
    const logOnly = await runTenor(['verify', address, '--log-only', '--json']);
    expect(JSON.parse(logOnly.out)).toMatchObject({ status: 'verified', size: 3 });
  }
  await files.stop(true);
  writeFileSync(join(mirror, 'changes/3.ndjson'), '');
  expect((await runTenor(['verify', mirror])).err).toContain('altered-changes: The 0 records');
  const other = await runTenor(['verify', folder]);
  expect(other.err).toContain('URL must be');
});

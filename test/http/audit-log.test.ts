import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { AuditLog } from '../../src/http/pipeline/audit-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { issueLink } from '../../src/tokens/issue-token.ts';
import { EVERY_SCOPE } from '../../src/tokens/scopes.ts';
import { retryUntil } from '../support/eventually.ts';
import { createFilledStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
const path = join(folder, 'audit.log');
const store = await createFilledStore();
const events: LogEvent[] = [];
const start = (auditLog: string) =>
  startServer({
    store,
    catalogue,
    settings: { ...SERVER_SETTINGS, auditLog },
    emit: (event) => events.push(event),
  });
const server = await start(path);

afterAll(async () => {
  await server.stop();
  await store.remove();
  rmSync(folder, { recursive: true });
});

const read = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.address}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'X-Request-Id': target.length.toString(),
      ...headers,
    },
  });

/** The lines since the last call, without their places in the chain. */
let seen = 0;
function takeLines() {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const added = lines.slice(seen).map((line) => JSON.parse(line));
  seen = lines.length;
  return added
    .filter(({ event }) => event !== 'opened')
    .map(({ chain: _, number: __, previous: ___, ...line }) => line);
}

describe('the audit log', () => {
  test('has who has read what before the response is there', async () => {
    const response = await read('/2.0/bnb/quote?type=tbill&limit=3', { 'X-Request-Id': 'r1' });
    const [line, ...others] = takeLines();
    const body = await response.text();
    expect(others).toEqual([]);
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      event: 'read',
      requestId: 'r1',
      address: '127.0.0.1',
      subject: 'API_TOKEN',
      method: 'GET',
      route: '/2.0/bnb/quote',
      parameters: { type: 'tbill', limit: '3' },
      status: 200,
      revision: Number(response.headers.get('Tenor-Revision')),
      records: JSON.parse(body).data.length,
      bytes: body.length,
    });
    const again = { 'If-None-Match': response.headers.get('ETag') ?? '' };
    expect((await read('/2.0/bnb/quote?type=tbill&limit=3', again)).status).toBe(304);
    await read('/2.0/bnb/quote?type=tbill&limit=3', {}, 'HEAD');
    expect(takeLines()).toMatchObject([
      { status: 304, bytes: 0, route: '/2.0/bnb/quote' },
      { status: 200, bytes: 0, method: 'HEAD' },
    ]);
  });

  test('has no line of an error that refuses nothing, or of a document', async () => {
    await read('/2.0/bnb/quote?bogus=1');
    await read('/openapi.json');
    await read('/nowhere');
    expect(takeLines()).toEqual([]);
  });

  test('has no line of a checkpoint, which pages ask for every five seconds', async () => {
    const { status, headers } = await read('/ledger/checkpoint');
    const again = { 'If-None-Match': headers.get('ETag') ?? '' };
    const statuses = [status, (await read('/ledger/checkpoint', again)).status];
    expect(statuses).toEqual([200, 304]);
    expect(takeLines()).toEqual([]);
  });

  test('has which dataset was read where the path names it', async () => {
    await read('/exports/quotes.csv');
    await read('/changes/quotes?since=0');
    expect(takeLines()).toMatchObject([
      { event: 'read', route: '/exports/{file}', path: '/exports/quotes.csv' },
      { event: 'read', route: '/changes/{dataset}', path: '/changes/quotes' },
    ]);
  });

  test('has a line at the end of a stream, which says whether the client got all of it', async () => {
    const stream = await read('/events', { 'X-Request-Id': 'r2' });
    await stream.body?.cancel();
    await retryUntil(2_000, async () =>
      expect(readFileSync(path, 'utf8')).toContain('"event":"sent"'),
    );
    expect(takeLines()).toMatchObject([
      { event: 'read', requestId: 'r2', route: '/events', bytes: null },
      { event: 'sent', requestId: 'r2', subject: 'API_TOKEN', isComplete: false },
    ]);
  });

  test('has the target of a link, and not its secret', async () => {
    const tokens = store.tokens();
    const { secret, token } = await issueLink(tokens, {
      name: 'desk',
      scopes: EVERY_SCOPE,
      rate: null,
      expiresAt: null,
      target: '/2.0/bnb/quote?type=tbill',
    });
    tokens.close();
    expect((await read(`/links/${secret}`, { authorization: '' })).status).toBe(200);
    const lines = takeLines();
    expect(lines).toMatchObject([
      { subject: token.id, route: '/2.0/bnb/quote', parameters: { type: 'tbill' } },
      { subject: token.id, route: '/links/{secret}', path: '/links/***', parameters: {} },
    ]);
    expect(lines[0].requestId).toBe(lines[1].requestId);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test('is opened again when it was renamed or removed', async () => {
    await read('/3.0/funds');
    renameSync(path, `${path}.1`);
    await Bun.sleep(1_050);
    await read('/3.0/funds?limit=1');
    expect(
      readFileSync(path, 'utf8')
        .split('\n')
        .map((line) => line && JSON.parse(line)),
    ).toMatchObject([{ event: 'opened' }, { route: '/3.0/funds', parameters: { limit: '1' } }, '']);
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('"route":"/3.0/funds","parameters":{}');
    rmSync(path);
    await Bun.sleep(1_050);
    await read('/3.0/funds');
    expect(existsSync(path)).toBe(true);
  });

  test('that cannot be written stops reads, and nothing else, until it can be', async () => {
    const full = await start('/dev/full');
    const headers = { authorization: `Bearer ${TOKEN}` };
    events.length = 0;
    const statuses = await Promise.all(
      ['/2.0/bnb/quote', '/exports/quotes.csv', '/events', '/live', '/nowhere'].map(
        async (target) => (await fetch(`${full.address}${target}`, { headers })).status,
      ),
    );
    await full.stop();
    expect(statuses).toEqual([503, 503, 503, 200, 404]);
    expect(events.filter(({ event }) => event === 'audit.failed')).toHaveLength(1);
  });

  test('keeps the end of a stream that could not be written, for the next line', () => {
    const file = join(folder, 'full.log');
    symlinkSync('/dev/full', file);
    const log = new AuditLog(file, () => {});
    const target = { path: '/x', parameters: [] };
    const client = { getAddress: () => '', getCredential: () => undefined };
    const exchange = { requestId: 'r', ...client, principal: { id: 'tk_1' }, target };
    const response = { status: 200, body: null, headers: new Headers(), revision: null };
    const recordRead = () => log.recordRead(exchange as never, response);
    log.recordEnd(exchange as never, 7, true);
    expect(recordRead).toThrow('the audit log cannot be written');
    rmSync(file);
    recordRead();
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'opened' },
      { event: 'sent', bytes: 7, isComplete: true },
      { event: 'read' },
    ]);
  });

  test('that cannot be opened stops the start with the setting', () => {
    expect(() => new AuditLog(folder, () => {})).toThrow(
      `AUDIT_LOG: ${folder} cannot be written (EISDIR)`,
    );
  });
});

import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { AuditLog } from '../../src/http/pipeline/audit-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { replaceSystem, system } from '../../src/shared/system.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { createFilledStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
const store = await createFilledStore();
const tokens = store.tokens();
const options = { name: 'ann', rate: null, expiresAt: null };
const scopeless = await issueToken(tokens, { ...options, scopes: [] });
tokens.close();
const SCOPELESS = { authorization: `Bearer ${scopeless.secret}` };
const WRONG = { authorization: 'Bearer wrong' };

afterAll(async () => {
  await store.remove();
  rmSync(folder, { recursive: true });
});

async function startAudited(name: string) {
  const path = name.startsWith('/') ? name : join(folder, name);
  const settings = { ...SERVER_SETTINGS, auditLog: path };
  const server = await startServer({ store, catalogue, settings, emit: () => {} });
  return {
    ...server,
    async send(target: string, headers: Record<string, string> = {}, method = 'GET') {
      const response = await fetch(`${server.address}${target}`, { method, headers });
      await response.body?.cancel();
      return response.status;
    },
    readLines: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event !== 'opened'),
  };
}

const guarded = listOperationTargets().filter(({ isOpen }) => !isOpen);

describe('requests that are refused', () => {
  test('are in the audit log by operation, without a token as with a wrong one or one that lacks the scope', async () => {
    const server = await startAudited('operations.log');
    const statuses: number[] = [];
    for (const { target, scope } of guarded) {
      statuses.push(await server.send(target), await server.send(target, WRONG));
      if (scope !== undefined) statuses.push(await server.send(target, SCOPELESS));
    }
    await server.stop();
    const lines = server.readLines().slice(0, -1);
    expect(new Set(statuses)).toEqual(new Set([401, 403]));
    expect(lines.map(({ event, status }) => [event, status])).toEqual(
      statuses.map((status) => ['refused', status]),
    );
    expect(lines.map(({ subject, parameters }) => [subject, parameters === undefined])).toEqual(
      statuses.map((status) => (status === 401 ? [null, true] : [scopeless.token.id, false])),
    );
    const routes = guarded.map(({ path }) =>
      path.replace(/^\/vintages\/.*/, '/vintages/{dataset}'),
    );
    expect(new Set(lines.map(({ route }) => route))).toEqual(new Set(routes));
  }, 60_000);

  test('are in it whether a link is unknown, a token may not share, or a tool or widget reads for it', async () => {
    const server = await startAudited('guests.log');
    const [{ paths }] = [quotes];
    const path = paths[0] ?? '';
    expect(await server.send('/links/unknown')).toBe(404);
    expect(await server.send(`/links/sign?target=${path}&expires=1d`, SCOPELESS)).toBe(403);
    const { body, headers } = createMessage('tools/call', { name: 'get_quotes', arguments: {} });
    const sent = { ...headers, Authorization: SCOPELESS.authorization };
    expect((await postMessage(server.address, body, sent)).status).toBe(200);
    const origin = { Origin: 'https://other.example' };
    expect((await postMessage(server.address, body, { ...headers, ...origin })).status).toBe(403);
    await server.stop();
    expect(server.readLines()).toMatchObject([
      { event: 'refused', status: 404, subject: null, route: '/links/{secret}' },
      { event: 'refused', status: 403, subject: scopeless.token.id, route: '/links/sign' },
      { event: 'refused', status: 403, subject: scopeless.token.id, route: path },
      { event: 'read', status: 200, subject: scopeless.token.id, route: '/mcp' },
      { event: 'refused', status: 403, subject: 'API_TOKEN', route: '/mcp' },
      { event: 'closed' },
    ]);
  });

  test('beyond the limit of their address are counted in one line', async () => {
    const server = await startAudited('guesses.log');
    const statuses: number[] = [];
    for (let batch = 0; batch < 11; batch++)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, () => server.send('/3.0/funds?limit=1')),
        )),
      );
    expect(await server.send('/3.0/funds', { authorization: `Bearer ${TOKEN}` })).toBe(200);
    await server.stop();
    const count = statuses.filter((status) => status === 429).length;
    expect(count).toBeWithin(1, 101);
    const lines = server.readLines();
    expect(lines.filter(({ event }) => event === 'refused')).toHaveLength(1_100 - count);
    expect(lines.slice(-3)).toMatchObject([
      { event: 'read', route: '/3.0/funds' },
      { event: 'refusals', count },
      { event: 'closed' },
    ]);
  }, 30_000);

  test('beyond the lines of a minute are counted once, and those of the next minute have lines again', () => {
    const original = { ...system };
    const path = join(folder, 'minutes.log');
    const ends: (() => void)[] = [];
    const timer = { cancel() {}, unref: () => timer };
    replaceSystem({
      ...original,
      setTimeout(end) {
        ends.push(end);
        return timer;
      },
    });
    const log = new AuditLog(path, () => {});
    const guess = { principal: {}, getAddress: () => '', getCredential() {}, requestId: '1' };
    const record = (count: number) => {
      for (let sent = 0; sent < count; sent++)
        log.recordGuess(guess as never, { status: 401 } as never);
    };
    record(2_003);
    ends.shift()?.();
    record(1);
    ends.shift()?.();
    log.close();
    replaceSystem(original);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line)).map(({ event, count }) => [event, count]);
    expect(events.filter(([event]) => event === 'refused')).toHaveLength(2_001);
    expect(events.slice(2_000)).toEqual([
      ['refused', undefined],
      ['refusals', 3],
      ['refused', undefined],
      ['closed', undefined],
    ]);
  });

  test('get their status where no line can be written, but for a token, which gets 503 as for a read', async () => {
    const server = await startAudited('/dev/full');
    const target = quotes.paths[0] ?? '';
    expect([
      await server.send(target),
      await server.send(target, WRONG),
      await server.send('/links/unknown'),
      await server.send(target, SCOPELESS),
      await server.send(target, { authorization: `Bearer ${TOKEN}` }),
    ]).toEqual([401, 401, 404, 503, 503]);
    await server.stop();
  });
});

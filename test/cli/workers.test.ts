import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { retryUntil } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { quote } from '../support/quote-fixture.ts';
import { sendRaw } from '../support/raw-http.ts';
import type { TenorServer } from '../support/run-tenor.ts';
import { runTenor, spawnTenor } from '../support/run-tenor.ts';
import {
  findLiveWorkers,
  findStartedWorkers,
  isAlive,
  isLinux,
  readLog,
  readProcessId,
  requestFromAllWorkers,
  requestOnNewConnection,
  TOKEN,
  useWorkerServers,
  waitForExit,
} from '../support/workers.ts';

const QUOTES = '/2.0/bnb/quote';
const { settings, file, start } = useWorkerServers();

const anyPort = () => String(findFreePort());
const isRefusing = ({ address }: TenorServer) =>
  fetch(address).then(
    () => false,
    () => true,
  );

describe.if(isLinux)('WORKERS=2', () => {
  test('serves from two processes on one port, and greets once', async () => {
    const server = await start();
    const replies = await requestFromAllWorkers(server, QUOTES);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(readProcessId)).size).toBe(2);
    expect(server.out().match(/listening on/g)).toHaveLength(1);
    expect(findStartedWorkers(server)).toHaveLength(2);
  });

  test('shows a new revision from both of them within a couple of seconds', async () => {
    const server = await start();
    const names = Object.keys(quotes.fields) as (keyof ReturnType<typeof quote>)[];
    writeFileSync(file('q.csv'), `${names}\n${names.map((name) => quote({})[name])}\n`);
    // Both have an answer in memory that is about to be wrong.
    for (const { body } of await requestFromAllWorkers(server, QUOTES))
      expect(body).toContain('"data":[]');
    const { status } = await runTenor(['load', 'quotes', file('q.csv')], settings());
    expect(status).toBe(0);
    await retryUntil(3_000, async () => {
      const replies = await requestFromAllWorkers(server, QUOTES);
      const revisions = replies.map(({ headers }) => headers.get('tenor-revision'));
      expect(new Set(revisions)).toEqual(new Set(['1']));
      for (const { body } of replies) expect(JSON.parse(body).data).toHaveLength(1);
    });
  });

  test('accepts an issued token in both, and refuses it in both within 5 s of its end', async () => {
    const server = await start();
    const create = ['token', 'create', '--name', 'x', '--json'];
    const { id, token } = JSON.parse((await runTenor(create, settings())).out);
    const statuses = async () =>
      new Set((await requestFromAllWorkers(server, QUOTES, token)).map(({ status }) => status));
    await retryUntil(5_000, async () => expect(await statuses()).toEqual(new Set([200])));
    expect((await runTenor(['token', 'revoke', id], settings())).status).toBe(0);
    // Whoever sends a wrong token often enough is told to wait, which is no less refused.
    await retryUntil(5_000, async () => {
      const refused = await statuses();
      refused.delete(429);
      expect(refused.size).toBeLessThan(2);
      expect(refused).not.toContain(200);
    });
  });

  test('logs whole lines, one for each request of all processes', async () => {
    const server = await start();
    const one = `GET /nowhere HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;
    const many = `${`${one}\r\n`.repeat(199)}${one}Connection: close\r\n\r\n`;
    for (let round = 0; round < 5; round++) {
      const replies = Array.from({ length: 20 }, () => sendRaw(server.address, many));
      await Bun.sleep(10);
      // Nobody reads the log now, so that it has to wait in the middle of what is written at once.
      Bun.sleepSync(200);
      await Promise.all(replies);
    }
    await server.stop();
    expect(readLog(server, 'request')).toHaveLength(20_000);
    expect(server.err()).not.toContain(TOKEN);
  });
});

describe.if(isLinux)('a rate', () => {
  const passed = (statuses: readonly number[]) => statuses.filter((status) => status === 200);

  test('holds for all processes together, but for what they have not told each other yet', async () => {
    const server = await start({ RATE_LIMIT: '40/hour' });
    const statuses: number[] = [];
    const processes = new Set<string>();
    for (let asked = 0; asked < 200; asked++) {
      const reply = await requestOnNewConnection(server, QUOTES);
      statuses.push(reply.status);
      processes.add(readProcessId(reply));
      await Bun.sleep(20);
    }
    expect(processes.size).toBe(2);
    // Each of them alone would let 40 through.
    expect(passed(statuses).length).toBeWithin(40, 60);
    expect(passed(statuses.slice(-50))).toEqual([]);
  });

  test('is there as a whole for a single connection', async () => {
    const server = await start({ RATE_LIMIT: '40/hour' });
    const statuses: number[] = [];
    const processes = new Set<string>();
    for (let asked = 0; asked < 60; asked++) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const reply = await fetch(`${server.address}${QUOTES}`, { headers });
      await reply.text();
      statuses.push(reply.status);
      processes.add(reply.headers.get('x-request-id')?.split('-')[0] ?? '');
    }
    expect(processes.size).toBe(1);
    expect(passed(statuses)).toHaveLength(40);
  });
});

describe.if(isLinux)('the port', () => {
  const refusal = async (more: Record<string, string>) => {
    const { status, out, err } = await runTenor(['serve'], settings(more));
    expect([status, out]).toEqual([1, '']);
    return err;
  };

  test.each([true, false])(
    'is refused where another server has it, be it one that shares it (%p)',
    async (reusePort) => {
      const hostname = '127.0.0.1';
      const other = Bun.serve({ hostname, port: 0, reusePort, fetch: () => new Response() });
      const PORT = String(other.port);
      const line = `tenor: port ${PORT} on 127.0.0.1 is in use; set PORT to another, or 0 for any free one\n`;
      expect(await refusal({ PORT })).toBe(line);
      await other.stop(true);
    },
  );

  test('is not given to a second server, whether that has workers or none', async () => {
    const { address } = await start();
    const PORT = new URL(address).port;
    for (const WORKERS of ['1', '2', '3']) {
      expect(await refusal({ PORT, WORKERS })).toMatch(/^tenor: .*in use.*\n$/);
    }
  });

  test('goes to one of those who ask for it at the same instant', async () => {
    const PORT = anyPort();
    const children = [1, 2, 3].map(() => spawnTenor(['serve'], settings({ PORT })));
    const greeted = children.map(async (child) => {
      for await (const chunk of child.stdout) if (chunk.length > 0) return child;
      return undefined;
    });
    const servers = (await Promise.all(greeted)).filter((child) => child !== undefined);
    for (const child of servers) child.kill('SIGTERM');
    const statuses = await Promise.all(children.map(({ exited }) => exited));
    expect(servers).toHaveLength(1);
    expect(statuses.toSorted()).toEqual([0, 1, 1]);
  });

  test('of an address that is not here is refused, as one process would refuse it', async () => {
    const line = /^tenor: cannot listen on .*EADDRNOTAVAIL.*\n$/;
    expect(await refusal({ HOST: '192.0.2.1', PORT: '0' })).toMatch(line);
    expect(await refusal({ HOST: '192.0.2.1', PORT: anyPort() })).toMatch(line);
  });
});

describe.if(isLinux)('the end', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s to every process lets a reply under way finish, and leaves nothing behind',
    async (signal) => {
      const server = await start({ SAMPLE_DATA: 'on' });
      const reading = slowReader(server.address, '/exports/quotes.ndjson');
      await reading.begun;
      const workers = findLiveWorkers(server);
      expect(workers).toHaveLength(2);
      for (const pid of workers) process.kill(pid, signal);
      const stopped = server.stop(signal);
      await retryUntil(5_000, async () => expect(await isRefusing(server)).toBe(true));
      const reply = await reading.rest();
      // All chunks of it, to the empty one that ends it.
      expect(reply.slice(-7)).toBe('\r\n0\r\n\r\n');
      expect((await stopped).status).toBe(0);
      expect(workers.some(isAlive)).toBe(false);
      expect(readLog(server, 'service.stopped')).toHaveLength(2);
      expect(readLog(server, 'worker.died')).toEqual([]);
      expect(existsSync(file('x.db-wal'))).toBe(false);
    },
  );

  test('comes to workers whose supervisor was killed, and frees the port', async () => {
    const server = await start();
    const workers = findLiveWorkers(server);
    expect(workers.map(isAlive)).toEqual([true, true]);
    await server.stop('SIGKILL');
    await Promise.all(workers.map(waitForExit));
    expect(await isRefusing(server)).toBe(true);
  });
});

describe('a wrong WORKERS', () => {
  const wrong = ['0', '65', '1.5', '-1', 'many', '02', ...(isLinux ? [] : ['2'])];
  test.each(wrong)('(%s) stops the start with one line', async (WORKERS) => {
    const { status, out, err } = await runTenor(['serve'], settings({ WORKERS }));
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^tenor: WORKERS must be a whole number from 1 to 64.*\n$/);
    expect(existsSync(file('x.db'))).toBe(false);
  });
});

/** Asks, stops reading at the first bytes of the reply, and reads the rest when it is told to. */
function slowReader(address: string, target: string) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const begun = new Promise<void>((resolve) => {
    socket.once('data', () => resolve(void socket.pause()));
  });
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const head = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${TOKEN}`];
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const rest = () =>
    new Promise<string>((resolve, reject) => {
      socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')));
      socket.on('error', reject);
      socket.resume();
    });
  return { begun, rest };
}

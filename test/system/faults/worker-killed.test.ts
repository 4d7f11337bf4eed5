import { describe, expect, test } from 'bun:test';
import { retryUntil } from '../../support/eventually.ts';
import { createSampleDatabase } from '../../support/explorer.ts';
import type { TenorServer } from '../../support/run-tenor.ts';
import {
  findLiveWorkers,
  isLinux,
  readLog,
  readProcessId,
  requestFromAllWorkers,
  requestOnNewConnection,
  useWorkerServers,
} from '../../support/workers.ts';

const CLIENTS = 8;
const TARGET = '/2.0/bnb/quote?limit=20';
const { start, file } = useWorkerServers();

describe.if(isLinux)('a worker that is killed', () => {
  test('costs each client one request at most, and is replaced', async () => {
    await createSampleDatabase(file('x.db'));
    const server = await start();
    const { body } = await requestOnNewConnection(server, TARGET);
    expect(JSON.parse(body).data).toHaveLength(20);
    const clients = askingClients(server, body);
    for (const round of [1, 2, 3, 4]) {
      await clients.asked(200);
      const [first = 0, second] = findLiveWorkers(server);
      expect(second).toBeDefined();
      process.kill(first, 'SIGKILL');
      // The third that is killed is one that took a place.
      await retryUntil(10_000, async () => {
        const deaths = readLog(server, 'worker.died');
        expect(deaths).toHaveLength(round);
        expect(deaths.at(-1)).toMatchObject({ pid: first, code: null, signal: 'SIGKILL' });
        expect(findLiveWorkers(server)).toHaveLength(2);
      });
    }
    const { lost, wrong } = await clients.stop();
    expect(wrong).toEqual([]);
    expect(lost).toBeLessThanOrEqual(4 * CLIENTS);
    const replies = await requestFromAllWorkers(server, TARGET);
    expect(new Set(replies.map(readProcessId)).size).toBe(2);
  });

  test('is restarted with growing delays while it cannot serve, and serves when it can', async () => {
    const server = await start();
    const port = Number(new URL(server.address).port);
    for (const pid of findLiveWorkers(server)) process.kill(pid, 'SIGKILL');
    const thief = await takePort(port);
    await retryUntil(10_000, async () => {
      expect(readLog(server, 'worker.died').length).toBeGreaterThanOrEqual(6);
    });
    const before = readLog(server, 'worker.died').length;
    await Bun.sleep(1_000);
    // At their first pace there would be a dozen more.
    expect(readLog(server, 'worker.died').length - before).toBeLessThanOrEqual(4);
    const refused = readLog(server, 'worker.died').filter(({ code }) => code === 1);
    for (const { cause } of refused) expect(cause).toContain('in use');
    expect(refused.length).toBeGreaterThanOrEqual(4);
    await thief.stop(true);
    await retryUntil(20_000, async () => expect(findLiveWorkers(server)).toHaveLength(2));
    expect((await requestOnNewConnection(server, TARGET)).status).toBe(200);
    expect((await server.stop()).status).toBe(0);
  });
});

/** Clients that ask all the time, each over a new connection, and ask again where one is lost. */
function askingClients(server: TenorServer, right: string) {
  const wrong: string[] = [];
  let asked = 0;
  let lost = 0;
  let isStopping = false;
  const asking = Array.from({ length: CLIENTS }, async () => {
    while (!isStopping) {
      const reply = await requestOnNewConnection(server, TARGET).catch(() => undefined);
      asked++;
      // A connection that is cut off may end like one that was closed, with part of a reply.
      if (!reply || reply.body.length < Number(reply.headers.get('content-length') ?? 1)) lost++;
      else if (reply.status !== 200 || reply.body !== right) wrong.push(reply.body);
    }
  });
  return {
    async asked(more: number) {
      const wanted = asked + more;
      while (asked < wanted) await Bun.sleep(5);
    },
    async stop() {
      isStopping = true;
      await Promise.all(asking);
      return { lost, wrong };
    },
  };
}

/** Listens alone on a port as soon as nobody else does. */
async function takePort(port: number) {
  for (;;) {
    try {
      const alone = { hostname: '127.0.0.1', port, reusePort: false };
      return Bun.serve({ ...alone, fetch: () => new Response() });
    } catch {
      await Bun.sleep(1);
    }
  }
}

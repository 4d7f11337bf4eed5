import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { COMMAND, startTenorServer, type TenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { isLinux, readLog, TOKEN } from '../../support/workers.ts';

const createRequest = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

let folder: string;
let sockets: Socket[];
let server: TenorServer | undefined;
beforeEach(() => {
  folder = createTempFolder();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe.if(isLinux)('too many connections', () => {
  test('beyond MAX_CONNECTIONS wait until others close, and open ones are answered', async () => {
    server = await start({ MAX_CONNECTIONS: '20' });
    const clients = Array.from({ length: 20 }, () => openConnection());
    for (const client of clients) expect(await client.ask()).toBe(200);
    await retryUntil(30_000, async () => expect(readFull()).toHaveLength(1));
    const late = openConnection();
    const lateStatus = late.ask();
    for (const client of clients) expect(await client.ask()).toBe(200);
    expect(await Promise.race([lateStatus, Bun.sleep(200)])).toBeUndefined();
    for (const client of clients.slice(0, 10)) client.socket.destroy();
    // The kernel of the client tries again after one second, and after three.
    expect(await lateStatus).toBe(200);
    expect(readFull()).toMatchObject([{ limit: 20 }]);
  });

  test('do not include the files of the database, which are opened meanwhile', async () => {
    server = await start({ MAX_CONNECTIONS: '3' });
    const path = '/2.0/bnb/quote?limit=10000';
    for (let round = 0; round < 3; round++) {
      // The first one starts a thread that opens the database again.
      const { socket, ask } = openConnection();
      expect(await ask(path)).toBe(200);
      socket.destroy();
      await Bun.sleep(300);
    }
    expect(readFull()).toEqual([]);
  });

  test('that take all file descriptors are logged once, and neither stop answers nor take a core', async () => {
    const FILES = 64;
    const limited = ['bash', '-c', `ulimit -n ${FILES}; exec "$0" "$@"`, ...COMMAND, 'serve'];
    server = await start({}, limited);
    const client = openConnection();
    expect(await client.ask()).toBe(200);
    // These never send anything.
    for (let count = 0; count < 3 * FILES; count++) openConnection();
    await retryUntil(30_000, async () => expect(readFull()).toHaveLength(1));
    for (let round = 0; round < 50; round++) expect(await client.ask()).toBe(200);
    const usedBefore = readCpuSeconds(server.pid);
    await Bun.sleep(1_000);
    // A process that tries to accept again and again uses all of the second.
    expect(readCpuSeconds(server.pid) - usedBefore).toBeLessThan(0.5);
    expect(await client.ask()).toBe(200);
    expect(readFull()).toMatchObject([{ fileLimit: FILES }]);
    for (const socket of sockets) if (socket !== client.socket) socket.destroy();
    expect(await openConnection().ask()).toBe(200);
    expect((await server.stop()).status).toBe(0);
  });
});

function start(settings: Record<string, string>, command?: string[]): Promise<TenorServer> {
  const all = { API_TOKEN: TOKEN, SAMPLE_DATA: 'off', ...settings };
  return startTenorServer({ DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, ...all }, command);
}

function readFull() {
  return server ? readLog(server, 'connections.full') : [];
}

/** A connection that is kept open; `ask` gives the status of a response. */
function openConnection() {
  const { hostname, port } = new URL(server?.address ?? '');
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  sockets.push(socket);
  const ask = (path = '/2.0/bnb/quote') =>
    new Promise<number>((resolve) => {
      socket.once('data', (bytes) => resolve(Number(String(bytes).split(' ')[1])));
      socket.write(createRequest(path));
    });
  return { socket, ask };
}

const TICKS_PER_SECOND = 100;

/** The time that a process has used so far, of all cores. */
function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

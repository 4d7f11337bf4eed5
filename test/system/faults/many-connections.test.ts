import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { retryUntil } from '../../support/eventually.ts';
import { COMMAND, startTenorServer, type TenorServer } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { isLinux, readLog, TOKEN } from '../../support/workers.ts';

const FILES = 128;
/** `exec` keeps the process id, so that its processor time can be read. */
const LIMITED = ['bash', '-c', `ulimit -n ${FILES}; exec "$0" "$@"`, ...COMMAND, 'serve'];

const createRequest = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

let folder: string;
let sockets: Socket[];
let server: TenorServer;
beforeEach(async () => {
  folder = createTempFolder();
  sockets = [];
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, API_TOKEN: TOKEN };
  server = await startTenorServer({ ...settings, SAMPLE_DATA: 'off' }, LIMITED);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe.if(isLinux)('connections that take all file descriptors', () => {
  test('are closed if they are idle, so that new ones are answered', async () => {
    const streaming = openConnection();
    expect(await streaming.ask('/events')).toBe(200);
    for (let round = 0; round < 4; round++) {
      const clients = Array.from({ length: FILES / 2 }, () => openConnection());
      const statuses = await Promise.all(clients.map(({ ask }) => ask()));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(readFull()).toMatchObject([{ fileLimit: FILES }]);
    expect(sockets.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(FILES / 2);
    expect(streaming.socket.destroyed).toBe(false);
  });

  test('and send nothing close the port until they have gone, and take no core', async () => {
    const streaming = openConnection();
    expect(await streaming.ask('/events')).toBe(200);
    const silent = Array.from({ length: 3 * FILES }, () => openConnection());
    await retryUntil(30_000, async () => expect(readFull()).toHaveLength(1));
    await retryUntil(30_000, async () => expect(await openConnection().ask()).toBeUndefined());
    const usedBefore = readCpuSeconds(server.pid);
    await Bun.sleep(2_000);
    // A process that tries to accept again and again uses all of the time.
    expect(readCpuSeconds(server.pid) - usedBefore).toBeLessThan(0.5);
    expect(streaming.socket.destroyed).toBe(false);
    for (const { socket } of silent) socket.destroy();
    await retryUntil(30_000, async () => expect(await openConnection().ask()).toBe(200));
    expect(readFull()).toMatchObject([{ fileLimit: FILES }]);
    streaming.socket.destroy();
    expect((await server.stop()).status).toBe(0);
  });
});

function readFull() {
  return readLog(server, 'connections.full');
}

/**
 * A connection that is kept open; `ask` gives the status of a response, or undefined where the
 * connection is closed instead.
 */
function openConnection() {
  const { hostname, port } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  sockets.push(socket);
  const ask = (path = '/2.0/bnb/quote') =>
    new Promise<number | undefined>((resolve) => {
      socket.once('data', (bytes) => resolve(Number(String(bytes).split(' ')[1])));
      socket.once('close', () => resolve(undefined));
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

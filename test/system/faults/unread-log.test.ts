import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EventLog, type LogEvent } from '../../../src/event-log.ts';
import { retryUntil, waitUntilStable } from '../../support/eventually.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { spawnTenor } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';
import { isLinux, TOKEN } from '../../support/workers.ts';

const REQUESTS_PER_CONNECTION = 200;
const CONNECTIONS = 100;
const REQUEST = `GET /2.0/bnb/quote HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.if(isLinux).each(['1', '2'])(
  'a server whose log nobody reads, with WORKERS=%s',
  (WORKERS) => {
    test('answers, and counts the lines that it drops once its log is read again', async () => {
      const log = openPipe(join(folder, 'log'));
      const settings = {
        DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
        API_TOKEN: TOKEN,
        SAMPLE_DATA: 'off',
        PORT: '0',
        WORKERS,
      };
      const child = spawnTenor(['serve'], settings, log.fd);
      const address = await readAddress(child.stdout);
      const pipelined = `${REQUEST}\r\n`.repeat(REQUESTS_PER_CONNECTION - 1);
      for (let count = 0; count < CONNECTIONS; count++) {
        const { status } = await sendRaw(
          address,
          `${pipelined}${REQUEST}Connection: close\r\n\r\n`,
        );
        expect(status).toBe(200);
      }
      // All that was buffered is written, and then the number of those that were not.
      await retryUntil(10_000, async () => expect(log.read()).toContain('"log.dropped"'));
      // Each worker has its own buffer, which a stop does not wait for without end.
      await waitUntilStable(() => log.read().length);
      child.kill('SIGTERM');
      while (child.exitCode === null) {
        log.read();
        await Bun.sleep(10);
      }
      expect(child.exitCode).toBe(0);
      const events = log
        .read()
        .trimEnd()
        .split('\n')
        .map((line): LogEvent => JSON.parse(line));
      log.close();
      const logged = events.filter(({ event }) => event === 'request').length;
      const dropped = events.map((event) => (event.event === 'log.dropped' ? event.lines : 0));
      const total = logged + dropped.reduce((sum, lines) => sum + lines, 0);
      expect(logged).toBeGreaterThan(1_000);
      // A line of the poll or of the start may be among them.
      expect(total).toBeWithin(
        REQUESTS_PER_CONNECTION * CONNECTIONS,
        REQUESTS_PER_CONNECTION * CONNECTIONS + 5,
      );
    });
  },
);

test('an event log holds about a megabyte of lines that nobody reads', () => {
  const pending: { text: string; onWritten: () => void }[] = [];
  const { emit, flush } = new EventLog({
    write: (text, onWritten) => pending.push({ text, onWritten }) < 0,
  });
  for (let count = 0; count < 100_000; count++) {
    emit({ event: 'watch.failed', cause: 'x'.repeat(100) });
    if (count % 100 === 0) flush();
  }
  flush();
  const held = pending.reduce((sum, { text }) => sum + text.length, 0);
  expect(held).toBeWithin(1_000_000, 1_400_000);
  const written = pending.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  for (const { onWritten } of pending.splice(0)) onWritten();
  const [report] = pending;
  expect(JSON.parse(report?.text ?? '')).toMatchObject({
    event: 'log.dropped',
    lines: 100_000 - written,
  });
  report?.onWritten();
  emit({ event: 'service.stopped' });
  flush();
  expect(pending.at(-1)?.text).not.toContain('log.dropped');
});

/** A pipe that is read only on demand. */
function openPipe(path: string) {
  Bun.spawnSync(['mkfifo', path]);
  // With a writer of its own, so that opening it does not wait for another.
  const fd = openSync(path, 'r+');
  const readable = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = new Uint8Array(1 << 20);
  let text = '';
  return {
    fd,
    /** All that was read so far. */
    read(): string {
      try {
        for (;;) text += new TextDecoder().decode(buffer.subarray(0, readSync(readable, buffer)));
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
      }
      return text;
    },
    close() {
      closeSync(fd);
      closeSync(readable);
    },
  };
}

async function readAddress(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('/openapi.json')) break;
  }
  return /http:\/\/\S+:\d+/.exec(text)?.[0] ?? '';
}

import { beforeEach, describe, expect, test } from 'bun:test';
import type { LogEvent } from '../../src/event-log.ts';
import { ConnectionShedder } from '../../src/http/server/connection-shedder.ts';

const FULL = { event: 'connections.full', openFiles: 90, fileLimit: 100 } as const;

describe('a process that may open 100 files', () => {
  let events: LogEvent[];
  let idleConnections: number;
  let isPortTaken: boolean;
  let listener: ConstructorParameters<typeof ConnectionShedder>[0] & { isClosed: boolean };
  let shedder: ConnectionShedder;
  beforeEach(() => {
    events = [];
    [idleConnections, isPortTaken] = [0, false];
    listener = {
      isClosed: false,
      closeIdleConnections: () => idleConnections,
      close() {
        this.isClosed = true;
      },
      reopen() {
        if (isPortTaken) throw new Error('in use');
        this.isClosed = false;
      },
    };
    shedder = new ConnectionShedder(listener, (event) => events.push(event), 100);
  });

  test('keeps its port while fewer than 90 are open', () => {
    shedder.poll(89, 0);
    expect([listener.isClosed, events]).toEqual([false, []]);
  });

  test('keeps its port if closing idle connections is enough, and reports it once a minute', () => {
    idleConnections = 1;
    for (let nowMs = 0; nowMs <= 60_000; nowMs += 100) shedder.poll(90, nowMs);
    expect([listener.isClosed, events]).toEqual([false, [FULL, FULL]]);
  });

  test('closes its port if no connection is idle, until fewer than 75 are open', () => {
    shedder.poll(90, 0);
    expect(listener.isClosed).toBe(true);
    shedder.poll(75, 100);
    expect(listener.isClosed).toBe(true);
    shedder.poll(74, 200);
    expect([listener.isClosed, events]).toEqual([false, [FULL]]);
  });

  test('opens its port again after 15 seconds, whatever is open', () => {
    shedder.poll(90, 1_000);
    shedder.poll(100, 16_000);
    expect(listener.isClosed).toBe(true);
    shedder.poll(100, 16_001);
    expect(listener.isClosed).toBe(false);
  });

  test('tries again if another program has taken its port, and reports it once a minute', () => {
    isPortTaken = true;
    shedder.poll(90, 0);
    for (const nowMs of [100, 200, 300]) shedder.poll(10, nowMs);
    expect(events).toEqual([FULL, { event: 'listen.failed', cause: 'Error: in use' }]);
    isPortTaken = false;
    shedder.poll(10, 400);
    expect(listener.isClosed).toBe(false);
  });
});

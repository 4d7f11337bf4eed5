import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SilenceMeter } from '../../src/shared/silence-meter.ts';
import { createTempFolder } from '../support/store.ts';

/** The silence of a thread after eight ticks, in each of which it is in a state and uses a core. */
function measure(state: string, usedMsPerTick: number, ticks = 8): number {
  const folder = createTempFolder();
  const file = join(folder, 'stat');
  const meter = new SilenceMeter(file);
  let silentMs = 0;
  for (let tick = 0; tick < ticks; tick++) {
    const used = Math.round((tick * usedMsPerTick) / 10);
    // The name of the program, and the times of user and system after eleven fields.
    writeFileSync(
      file,
      `7 (a) b ${state}) ${state} 1 1 1 0 -1 0 0 0 0 0 ${used} 0 0 0 20 0 1 0 9\n`,
    );
    silentMs = meter.tick();
  }
  rmSync(folder, { recursive: true });
  return silentMs;
}

describe('the silence of a thread', () => {
  test.each([
    ['that is stopped', 'T', 0],
    ['that a debugger has stopped', 't', 0],
    ['that waits for what does not come', 'S', 0],
    ['that runs without an end', 'R', 250],
  ])('%s counts wholly', (_, state, usedMs) => {
    expect(measure(state, usedMs)).toBe(2_000);
  });

  test('that gets a fifth of a core counts by what it gets', () => {
    expect(measure('R', 50)).toBe(250 + 7 * 50);
  });

  test.each([
    ['that waits for a core', 'R'],
    ['that waits for a disk', 'D'],
  ])('%s hardly counts, but it does', (_, state) => {
    expect(measure(state, 0)).toBe(250 + (7 * 250) / 8);
  });

  test('counts wholly if the system does not tell its state', () => {
    const meter = new SilenceMeter('/nowhere/stat');
    expect([meter.tick(), meter.tick()]).toEqual([250, 500]);
  });

  test('tells whether a signal would reach it', () => {
    expect(new SilenceMeter('/proc/self/stat').isUnreachable()).toBe(false);
    expect(new SilenceMeter().isUnreachable()).toBe(false);
  });

  test('ends when it says that it is alive', () => {
    const meter = new SilenceMeter();
    meter.tick();
    meter.reset();
    expect(meter.tick()).toBe(250);
  });
});

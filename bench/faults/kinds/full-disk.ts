import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineRealStep, type FaultKind, publish, serverSteps } from '../fault-kind.ts';
import { FileRun, killLoad } from '../file-run.ts';

const SIZE = '24m';

/** A file system that is full at times, while it is read from and written to. */
export const fullDisk: FaultKind<FileRun> = {
  explainMissing() {
    const folder = mkdtempSync(join(tmpdir(), 'tenor-faults-'));
    try {
      mountDisk(folder)();
      return undefined;
    } catch (cause) {
      return `no file system can be mounted: ${(cause as Error).message}`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  steps: {
    publish,
    'kill load': killLoad,
    ...serverSteps,
    'fill disk': defineRealStep<FileRun, { readonly ms: number }>({
      weight: () => 4,
      isFault: true,
      draw: (random) => ({ ms: random.integer(500, 6_000) }),
      concerns: () => ['disk'],
      // It excuses failed publications and no response: a server only reads.
      async apply({ folder, fullTimes, world: { scheduler } }, { ms }) {
        const file = join(folder, 'fill');
        const time = fullTimes.add('full disk', scheduler.nowMs);
        spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k']);
        await Bun.sleep(ms);
        rmSync(file);
        time.toMs = scheduler.nowMs;
      },
    }),
  },
  start: (seed) => FileRun.start(seed, mountDisk),
};

/** Mounts a small file system on a folder; returns what undoes it, as the end of this process does. */
function mountDisk(folder: string): () => void {
  const { status, stderr, error } = spawnSync('mount', [
    ...['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder],
  ]);
  if (status !== 0) throw new Error(error?.message ?? String(stderr).trim());
  const release = () => {
    spawnSync('umount', ['--lazy', folder]);
    process.off('exit', release);
  };
  process.on('exit', release);
  return release;
}

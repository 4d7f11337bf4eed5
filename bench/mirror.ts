import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../src/catalogue/index.ts';
import { checkMirror } from '../src/mirror/check-mirror.ts';
import { openMirrorTarget } from '../src/mirror/mirror-target.ts';
import { writeMirror } from '../src/mirror/write-mirror.ts';
import type { Store } from '../src/store/open-store.ts';
import { FOLDER } from './million-quotes.ts';
import { measurePeakMegabytes } from './process-usage.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';

const MAX_FIRST_SECONDS = 600;
const MAX_DAILY_PERCENT = 2;

/** The first run of a mirror over all revisions but the last, one of the last, and a check. */
export async function benchmarkMirror(store: Store): Promise<ResultRow[]> {
  const folder = join(FOLDER, 'mirror');
  rmSync(folder, { recursive: true, force: true });
  const target = openMirrorTarget(folder);
  const reader = store.reader();
  const newest = await reader.revision();
  const write = (last: number) => {
    const checkpoint: typeof reader.checkpoint = (size = last) => reader.checkpoint(size);
    return measure(() =>
      writeMirror({ target, reader: { ...reader, checkpoint }, catalogue, scopes: ['*'] }),
    );
  };
  let first = { seconds: 0, result: { files: 0, bytes: 0 } };
  const peak = await measurePeakMegabytes(process.pid, async () => {
    first = await write(newest - 1);
  });
  const daily = await write(newest);
  const { seconds } = await measure(() => checkMirror(target));
  reader.close();
  rmSync(folder, { recursive: true });
  const percent = (100 * daily.result.bytes) / (first.result.bytes + daily.result.bytes);
  const label = (part: string) => `a mirror of 1,000,000 quotes in ${newest} revisions: ${part}`;
  return [
    formatLimitRow(
      label('the first run'),
      describeRun(first),
      first.seconds,
      MAX_FIRST_SECONDS,
      's',
    ),
    formatLimitRow(
      label("a day's publication"),
      describeRun(daily),
      percent,
      MAX_DAILY_PERCENT,
      '% of all bytes',
    ),
    { label: label('memory of the first run'), measured: `${Math.round(peak)} MB`, ...NO_AIM },
    { label: label('a check of all of it'), measured: `${seconds.toFixed(1)} s`, ...NO_AIM },
  ];
}

const NO_AIM = { baseline: '–', ratio: undefined, aim: '–' };

interface Measured<T> {
  readonly seconds: number;
  readonly result: T;
}

async function measure<T>(operation: () => Promise<T>): Promise<Measured<T>> {
  const started = performance.now();
  const result = await operation();
  return { seconds: (performance.now() - started) / 1_000, result };
}

function describeRun({ seconds, result }: Measured<{ files: number; bytes: number }>): string {
  return `${seconds.toFixed(1)} s, ${result.files} files, ${(result.bytes / 1e6).toFixed(2)} MB`;
}

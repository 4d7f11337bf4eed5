import { readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 100;

export function getResidentMegabytes(pid: number): number {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.toString()) / 1_024;
}

/** The most resident memory of a process that was seen during an operation. */
export async function measurePeakMegabytes(
  pid: number,
  operation: () => Promise<unknown>,
): Promise<number> {
  let max = 0;
  const sample = () => {
    max = Math.max(max, getResidentMegabytes(pid));
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  try {
    await operation();
    sample();
  } finally {
    clearInterval(timer);
  }
  return max;
}

/** In clock ticks of a hundredth of a second, as Linux counts them. */
export function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

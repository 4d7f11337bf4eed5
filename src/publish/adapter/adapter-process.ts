// The process that runs an adapter, in a thread: it has an environment of its own, and notices what
// the adapter does not: that it is stuck, and that the command that started it is gone.
import { Worker } from 'node:worker_threads';
import type { AdapterRequest, AdapterResponse, ProcessData, ThreadData } from './messages.ts';

const TICK_MS = 100;

const { path, name, timeoutMs }: ProcessData = JSON.parse(process.argv.at(-1) ?? '');
/** How many records were yielded, and how many bytes were read; the thread writes it. */
const counts = new Float64Array(new SharedArrayBuffer(16));
let isWorking = true;

// The command ends it; signals to the whole process group are for the command.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// Its children, too, which a thread that is stuck cannot end.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.on('message', (request: AdapterRequest) => {
  isWorking = true;
  thread.postMessage(request);
});
const workerData = { path, name, counts } satisfies ThreadData;
const options = { workerData, stdout: true, stderr: true };
const thread = new Worker(new URL('./adapter-thread.ts', import.meta.url), options);
const output = Bun.stderr.writer();
for (const stream of [thread.stdout, thread.stderr])
  stream.on('data', (chunk: Uint8Array) => attempt(() => output.write(chunk)));
thread.on('message', (response: AdapterResponse) => afterOutput(() => respond(response)));
thread.on('error', (cause) => afterOutput(() => fail(`${name}: ${(cause as Error).message}`)));
thread.on('exit', () => afterOutput(() => fail(`${name} ended before its last record`)));

let [lastRecords, lastBytes, idleTicks] = [0, 0, 0];
// Ticks are counted and not time, because a process that was stopped has not waited.
setInterval(() => {
  const [records = 0, bytes = 0] = counts;
  if (bytes !== lastBytes) process.send?.({ kind: 'progress', bytes: bytes - lastBytes });
  idleTicks = isWorking && records === lastRecords ? idleTicks + 1 : 0;
  [lastRecords, lastBytes] = [records, bytes];
  if (timeoutMs === undefined || idleTicks * TICK_MS < timeoutMs) return;
  const idle = `${pluralize(timeoutMs / 1_000, 'second')}, after ${pluralize(records, 'record')}`;
  fail(`${name} was ended: it yielded nothing for ${idle} (see --adapter-timeout)`);
}, TICK_MS);

/** The command kills this process after its last response: what the adapter printed is written first. */
async function afterOutput(callback: () => void): Promise<void> {
  await attempt(() => output.flush());
  callback();
}

/** A load does not depend on standard error, which may be closed or on a full disk. */
async function attempt(write: () => unknown): Promise<void> {
  try {
    await write();
  } catch {}
}

function respond(response: AdapterResponse): void {
  isWorking = false;
  process.send?.(response);
}

function fail(message: string): void {
  respond({ kind: 'failure', isOfAdapter: true, message });
}

function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

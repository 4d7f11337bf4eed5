// The thread that runs an adapter.
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { plugin } from 'bun';
import { explainFailure } from './explain-failure.ts';
import type { AdapterRequest, AdapterResponse, ThreadData } from './messages.ts';
import { ReadingFile } from './opened-file.ts';
import * as tenor from './package-entry.ts';
import { type AdapterFunction, streamRecordBatches, toAdapterFunction } from './record-batches.ts';
import { StagedBatchWriter } from './staged-batches.ts';

const { path, name, counts } = workerData as ThreadData;

// An adapter may be anywhere, and an executable has no package to be found.
plugin({
  name: 'tenor',
  setup: (build) => void build.module('tenor', () => ({ exports: tenor, loader: 'object' })),
});

/** After what the adapter printed, which is passed on in parts. */
async function respond(response: AdapterResponse): Promise<void> {
  const streams = [process.stdout, process.stderr];
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write('', resolve))));
  parentPort?.postMessage(response);
}

let file: ReadingFile | undefined;
let adapter: AdapterFunction;

const fail = (cause: unknown) => respond(explainFailure(cause, { path, name }, file));
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

try {
  const module = await import(pathToFileURL(path).href);
  adapter = toAdapterFunction(module.default);
  respond({ kind: 'ready', options: toPlainValue(module.options) });
  parentPort?.on('message', handleRequest);
} catch (cause) {
  fail(cause);
}

async function handleRequest({ file: named, options, stagedPath }: AdapterRequest) {
  let staged: StagedBatchWriter | undefined;
  try {
    staged = new StagedBatchWriter(stagedPath);
    file = await ReadingFile.open(named, options, (bytes) => addCount(1, bytes));
    for await (const batch of streamRecordBatches(adapter, file, () => addCount(0, 1)))
      staged.write(batch);
    respond({ kind: 'end' });
  } catch (cause) {
    fail(cause);
  } finally {
    file?.close();
    staged?.close();
  }
}

function addCount(index: number, count: number): void {
  counts[index] = (counts[index] ?? 0) + count;
}

/** Functions and the like could not be sent. */
function toPlainValue(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

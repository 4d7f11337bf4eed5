// The thread that runs an adapter, so that one which never ends does not keep the command from ending.
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { plugin } from 'bun';
import { explainFailure } from './explain-failure.ts';
import type { AdapterBatch, AdapterRequest, AdapterResponse, ReadingProgress } from './messages.ts';
import { ReadingFile } from './opened-file.ts';
import * as tenor from './package-entry.ts';
import { type AdapterFunction, streamRecordBatches, toAdapterFunction } from './record-batches.ts';

const { path, name } = workerData as { readonly path: string; readonly name: string };

// An adapter may be anywhere, and an executable has no package to be found.
plugin({
  name: 'tenor',
  setup: (build) => void build.module('tenor', () => ({ exports: tenor, loader: 'object' })),
});
// Standard output is for what the command prints.
console.log = console.info = console.debug = console.error;
process.stdout.write = process.stderr.write.bind(process.stderr);

const respond = (response: AdapterResponse) => parentPort?.postMessage(response);
let file: ReadingFile | undefined;
let adapter: AdapterFunction;
let batches: AsyncGenerator<AdapterBatch>;

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

async function handleRequest(request: AdapterRequest): Promise<void> {
  try {
    if (request.kind === 'read') batches = readFile(request);
    const { done, value } = await batches.next();
    respond(done ? { kind: 'end' } : value);
  } catch (cause) {
    fail(cause);
  }
}

async function* readFile(request: AdapterRequest & { kind: 'read' }): AsyncGenerator<AdapterBatch> {
  let progress: ReadingProgress = { bytes: 0 };
  const takeProgress = () => {
    const last = progress;
    progress = { bytes: 0 };
    return last;
  };
  file = await ReadingFile.open(request.file, request.options, ({ bytes = 0, detected }) => {
    progress = { bytes: progress.bytes + bytes, detected: detected ?? progress.detected };
  });
  try {
    yield* streamRecordBatches(adapter, file, takeProgress);
  } finally {
    file.close();
  }
}

/** Functions and the like could not be sent. */
function toPlainValue(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

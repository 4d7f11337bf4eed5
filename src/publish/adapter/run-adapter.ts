import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type FileItem, InvalidFileError, type NamedFile } from '../../formats/read-contents.ts';
import { type FileFingerprint, fingerprintFile } from '../load/fingerprint-file.ts';
import { type Mapping, validateMapping } from '../mapping/mapping.ts';
import { decodeItems } from './batch-encoding.ts';
import { explainFailure } from './explain-failure.ts';
import type {
  AdapterBatch,
  AdapterFailure,
  AdapterRequest,
  AdapterResponse,
  OpenFileOptions,
} from './messages.ts';

/** A defect of an adapter; the message names the adapter. */
export class AdapterError extends InvalidFileError {}

export interface RecordBatch extends Omit<AdapterBatch, 'kind' | 'items'> {
  readonly items: readonly FileItem[];
}

/** Keys of a mapping about columns, which an adapter reads itself. */
const COLUMN_KEYS = ['columns', 'otherColumns', 'fields', 'lookup', 'headerRow'] as const;

/** The `options` that an adapter may export: how its texts are to be read, as in a mapping. */
export type AdapterOptions = Omit<Mapping, (typeof COLUMN_KEYS)[number]>;

function parseAdapterOptions(options: unknown, name: string): AdapterOptions {
  return options === undefined ? {} : validateMapping(options, `${name}, options`, COLUMN_KEYS);
}

/** How often a signal is looked for while an adapter works. */
const POLL_INTERVAL_MS = 100;
const STOP_TIMEOUT_MS = 1_000;

/** Runs a callback with the adapter of this file; `onWait` may throw to end it. */
export async function withAdapter<T>(
  file: NamedFile | undefined,
  onWait: () => void,
  callback: (adapter: RunningAdapter | undefined) => Promise<T>,
): Promise<T> {
  if (!file) return callback(undefined);
  const adapter = await RunningAdapter.start(file, onWait);
  try {
    return await callback(adapter);
  } finally {
    await adapter.close();
  }
}

/** An adapter in a thread of its own, which may be ended whatever the adapter does. */
export class RunningAdapter {
  readonly #worker: Worker;
  readonly #temporaryFolder = createTemporaryFolder();
  #failure: Error | undefined;
  #pending = Promise.withResolvers<AdapterResponse>();
  options: AdapterOptions = {};

  private constructor(
    adapter: NamedFile,
    readonly file: FileFingerprint,
    private readonly onWait: () => void,
  ) {
    const url = new URL('./adapter-thread.ts', import.meta.url);
    // The file that is named, and no package: nothing is looked for in other folders.
    const workerData = { path: realpathSync(adapter.path), name: adapter.name };
    const env = { ...process.env, TMPDIR: this.#temporaryFolder };
    this.#worker = new Worker(url, { workerData, env });
    this.#worker.on('message', (response: AdapterResponse) => {
      if (response.kind === 'failure') this.#fail(response);
      else this.#pending.resolve(response);
    });
    this.#worker.on('error', (cause) => this.#fail(explainFailure(cause, workerData)));
    const message = `${adapter.name} ended before its last record`;
    this.#worker.on('exit', () => this.#fail({ isOfAdapter: true, message }));
  }

  /** Runs the module; `onWait` is called while it works, and may throw to end it. */
  static async start(adapter: NamedFile, onWait: () => void): Promise<RunningAdapter> {
    // Before it runs, so that a change of the file cannot go unnoticed.
    const fingerprint = await fingerprintFile(adapter);
    await assertFilledIn(adapter);
    const running = new RunningAdapter(adapter, fingerprint, onWait);
    try {
      const response = await running.#receive();
      if (response.kind === 'ready')
        running.options = parseAdapterOptions(response.options, adapter.name);
      return running;
    } catch (cause) {
      await running.close();
      throw cause;
    }
  }

  async *read(file: NamedFile, options: OpenFileOptions): AsyncGenerator<RecordBatch> {
    this.#request({ kind: 'read', file, options });
    for (;;) {
      const response = await this.#receive();
      if (response.kind !== 'batch') return;
      // The adapter goes on while these records are checked and written.
      this.#request({ kind: 'next' });
      yield { ...response, items: decodeItems(response.items) };
    }
  }

  /** Removes the temporary files that it reads from, because it may be ended at any point. */
  async close(): Promise<void> {
    this.#pending.promise.catch(() => {});
    await Promise.race([this.#worker.terminate(), Bun.sleep(STOP_TIMEOUT_MS)]);
    rmSync(this.#temporaryFolder, { recursive: true, force: true });
  }

  #request(request: AdapterRequest): void {
    this.#pending = Promise.withResolvers();
    // Handled when it is awaited, which may be later.
    this.#pending.promise.catch(() => {});
    if (this.#failure) this.#pending.reject(this.#failure);
    else this.#worker.postMessage(request);
  }

  /** It may fail between two requests, too. */
  #fail({ isOfAdapter, message }: Pick<AdapterFailure, 'isOfAdapter' | 'message'>): void {
    this.#failure ??= new (isOfAdapter ? AdapterError : InvalidFileError)(message);
    this.#pending.reject(this.#failure);
  }

  async #receive(): Promise<AdapterResponse> {
    const { promise, reject } = this.#pending;
    const poll = setInterval(() => {
      try {
        this.onWait();
      } catch (cause) {
        reject(cause);
      }
    }, POLL_INTERVAL_MS);
    try {
      return await promise;
    } finally {
      clearInterval(poll);
    }
  }
}

/** The text `'?'`, unless something is compared with it or looked for. */
const OPEN_QUESTION = /(?<![!=]==? |(?:split|includes|indexOf|startsWith|endsWith)\()'\?'/;
const COMMENT = /^\s*\/?\*.*|(?:^|\s)\/\/.*/;

/** Rejects an adapter of `tenor inspect` in which something is still to be decided, and names it. */
async function assertFilledIn({ path, name }: NamedFile): Promise<void> {
  const text = await Bun.file(path).text();
  const lines = text.split('\n').map((line) => line.replace(COMMENT, '').trim());
  const index = lines.findIndex((line) => OPEN_QUESTION.test(line));
  if (index >= 0)
    throw new AdapterError(`${name} line ${index + 1}: '?' is to be filled in: ${lines[index]}`);
}

/** Few files need one: where none can be made, those that do are rejected when they are read. */
function createTemporaryFolder(): string {
  const prefix = join(tmpdir(), 'tenor-');
  try {
    return mkdtempSync(prefix);
  } catch {
    return `${prefix}none`;
  }
}

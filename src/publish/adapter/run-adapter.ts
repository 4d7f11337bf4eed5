import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidFileError, type NamedFile, toSpoolError } from '../../formats/read-contents.ts';
import { ADAPTER_ARGUMENT, getOwnCommand } from '../../shared/own-command.ts';
import { createTemporaryFolder } from '../../shared/temporary-folder.ts';
import { type FileFingerprint, fingerprintFile } from '../load/fingerprint-file.ts';
import { type Mapping, validateMapping } from '../mapping/mapping.ts';
import type {
  AdapterFailure,
  AdapterRequest,
  AdapterResponse,
  OpenFileOptions,
  ProcessData,
} from './messages.ts';
import { type RecordBatch, readStagedBatches } from './staged-batches.ts';

/** A defect of an adapter; the message names the adapter. */
export class AdapterError extends InvalidFileError {}

/** Keys of a mapping about columns, which an adapter reads itself. */
const COLUMN_KEYS = ['columns', 'otherColumns', 'fields', 'lookup', 'headerRow'] as const;

/** The `options` that an adapter may export: how its texts are to be read, as in a mapping. */
export type AdapterOptions = Omit<Mapping, (typeof COLUMN_KEYS)[number]>;

/** How often a signal is looked for while an adapter works. */
const POLL_INTERVAL_MS = 100;
const EXIT_TIMEOUT_MS = 1_000;

export interface AdapterRunOptions extends Pick<ProcessData, 'timeoutMs'> {
  /** Names of variables of the environment that it sees besides the usual ones. */
  readonly variables?: readonly string[];
}

/** Runs a callback with the adapter of this file; `onWait` may throw to end it. */
export async function withAdapter<T>(
  file: NamedFile | undefined,
  onWait: () => void,
  callback: (adapter: RunningAdapter | undefined) => Promise<T>,
  options?: AdapterRunOptions,
): Promise<T> {
  if (!file) return callback(undefined);
  const adapter = await RunningAdapter.start(file, onWait, options);
  try {
    return await callback(adapter);
  } finally {
    await adapter.close();
  }
}

/** An adapter in a process of its own, which may be ended whatever the adapter does. */
export class RunningAdapter {
  readonly #temporaryFolder: string;
  readonly #child: Bun.Subprocess;
  readonly #stagedPaths = new Map<NamedFile, string>();
  #isEnded = false;
  #failure: Error | undefined;
  #pending = Promise.withResolvers<AdapterResponse>();
  #onRead: ((bytes: number) => void) | undefined;
  options: AdapterOptions = {};

  private constructor(
    adapter: NamedFile,
    readonly file: FileFingerprint,
    private readonly onWait: () => void,
    { timeoutMs, variables = [] }: AdapterRunOptions,
  ) {
    // The file that is named, and no package: nothing is looked for in other folders.
    const { name } = adapter;
    const path = realpathSync(adapter.path);
    this.#temporaryFolder = createAdapterFolder(name);
    this.#child = Bun.spawn(getAdapterCommand({ path, name, timeoutMs }), {
      env: { ...selectEnvironment(variables), TMPDIR: this.#temporaryFolder },
      // Standard output is for what the command prints.
      stdio: ['ignore', 2, 2],
      // The terminal's signals go to the command only, and its children are ended with it.
      detached: true,
      ipc: (response: AdapterResponse) => this.#handleResponse(response),
      onExit: () => {
        this.end();
        this.#fail({ isOfAdapter: true, message: `${name} ended before its last record` });
      },
    });
  }

  /** Runs the module; `onWait` is called while it works, and may throw to end it. */
  static async start(adapter: NamedFile, onWait: () => void, options: AdapterRunOptions = {}) {
    // Before it runs, so that a change of the file cannot go unnoticed.
    const fingerprint = await fingerprintFile(adapter);
    await assertFilledIn(adapter);
    const running = new RunningAdapter(adapter, fingerprint, onWait, options);
    try {
      const response = await running.#receive();
      if (response.kind === 'ready') running.options = readOptions(adapter, response.options);
      return running;
    } catch (cause) {
      await running.close();
      throw cause;
    }
  }

  /** Writes the records of a file to a temporary one, so that reading them depends on no adapter. */
  async stage(file: NamedFile, options: OpenFileOptions, onRead?: (bytes: number) => void) {
    const stagedPath = join(this.#temporaryFolder, `records-${this.#stagedPaths.size}`);
    this.#onRead = onRead;
    this.#request({ file, options, stagedPath });
    await this.#receive();
    this.#stagedPaths.set(file, stagedPath);
  }

  /** The staged records of a file. */
  async *read(file: NamedFile): AsyncGenerator<RecordBatch> {
    const path = this.#stagedPaths.get(file);
    if (path === undefined) throw new Error(`the records of ${file.name} are not staged`);
    yield* readStagedBatches(path);
  }

  /** Ends the process and those that it started; once, because its number may be another's later. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#pending.promise.catch(() => {});
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It has exited.
    }
  }

  /** Removes the temporary files too, because it may be ended at any point. */
  async close(): Promise<void> {
    this.end();
    await Promise.race([this.#child.exited, Bun.sleep(EXIT_TIMEOUT_MS)]);
    rmSync(this.#temporaryFolder, { recursive: true, force: true });
  }

  #request(request: AdapterRequest): void {
    this.#pending = Promise.withResolvers();
    // Handled when it is awaited, which may be later.
    this.#pending.promise.catch(() => {});
    if (this.#failure) this.#pending.reject(this.#failure);
    else this.#child.send(request);
  }

  #handleResponse(response: AdapterResponse): void {
    if (response.kind === 'failure') this.#fail(response);
    else if (response.kind !== 'progress') this.#pending.resolve(response);
    else this.#attempt(() => this.#onRead?.(response.bytes));
  }

  /** It may fail between two requests, too. */
  #fail({ isOfAdapter, message }: Pick<AdapterFailure, 'isOfAdapter' | 'message'>): void {
    // A signal may end what the adapter waits for, and is the cause of its failure then.
    this.#attempt(this.onWait);
    this.#failure ??= new (isOfAdapter ? AdapterError : InvalidFileError)(message);
    this.#pending.reject(this.#failure);
  }

  #attempt(callback: () => void): void {
    try {
      callback();
    } catch (cause) {
      this.#pending.reject(cause);
    }
  }

  async #receive(): Promise<AdapterResponse> {
    const poll = setInterval(() => this.#attempt(this.onWait), POLL_INTERVAL_MS);
    try {
      return await this.#pending.promise;
    } finally {
      clearInterval(poll);
    }
  }
}

/** What a module exports as `options`, if that is valid. */
export function readOptions({ name }: NamedFile, options: unknown): AdapterOptions {
  return options === undefined ? {} : validateMapping(options, `${name}, options`, COLUMN_KEYS);
}

/** What `bin/tenor` starts Bun with: nothing of the working directory is applied. */
const BUN_FLAGS = ['--no-install', '--no-env-file', '--config=/dev/null'];

function getAdapterCommand(processData: ProcessData): string[] {
  const argument = JSON.stringify(processData);
  if (Bun.isStandaloneExecutable) return [...getOwnCommand(), ADAPTER_ARGUMENT, argument];
  const tsconfig = join(import.meta.dirname, '../../../tsconfig.json');
  const script = join(import.meta.dirname, 'adapter-process.ts');
  return [process.execPath, ...BUN_FLAGS, `--tsconfig-override=${tsconfig}`, script, argument];
}

/** No other variable is passed on: many hold secrets, of Tenor and of other programs. */
const USUAL_VARIABLES = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ)$/;

function selectEnvironment(variables: readonly string[]): Record<string, string | undefined> {
  const isSelected = (name: string) => USUAL_VARIABLES.test(name) || variables.includes(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isSelected(name)));
}

function createAdapterFolder(name: string): string {
  try {
    return createTemporaryFolder();
  } catch (cause) {
    const { message } = toSpoolError(cause) as Error;
    throw new AdapterError(`what ${name} yields ${message}`);
  }
}

/** The text `'?'`, unless something is compared with it or looked for. */
const OPEN_QUESTION = /(?<![!=]==? |(?:split|includes|indexOf|startsWith|endsWith)\()'\?'/;
const COMMENT = /^\s*\/?\*.*|(?:^|\s)\/\/.*/;

/** Rejects an adapter of `tenor inspect` in which something is still to be decided, and names it. */
export async function assertFilledIn({ path, name }: NamedFile): Promise<void> {
  const text = await Bun.file(path).text();
  const lines = text.split('\n').map((line) => line.replace(COMMENT, '').trim());
  const index = lines.findIndex((line) => OPEN_QUESTION.test(line));
  if (index >= 0)
    throw new AdapterError(`${name} line ${index + 1}: '?' is to be filled in: ${lines[index]}`);
}

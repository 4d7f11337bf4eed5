import { open } from 'node:fs/promises';
import { type ByteSpan, sliceChunks } from './byte-range.ts';
import type { PartFile } from './export-cache.ts';
import { type ByteChunks, type OpenFile, readChunks } from './export-file.ts';

/** Creating failed, not the data: of a disk that is full, for example. */
class UnwritableError extends Error {}

type State =
  | { readonly kind: 'creating' | 'complete' | 'unwritable' }
  | { readonly kind: 'failed'; readonly cause: unknown };

/**
 * Writes an export to a file, as quickly as it is created, while any number of requests read what is
 * written. It goes on when they have gone: a client that comes back for the rest needs it.
 */
export class FileCreation {
  state: State = { kind: 'creating' };
  #written = 0;
  #progress = Promise.withResolvers<void>();

  constructor(
    private readonly file: PartFile,
    private readonly createChunks: () => ByteChunks,
    onEnd: () => void,
  ) {
    this.#run().finally(onEnd);
  }

  /** Waits until so many bytes are written, the end, or the end of the time. */
  async waitFor(bytes: number, signal?: AbortSignal): Promise<void> {
    const given = Promise.withResolvers<void>();
    const giveUp = () => given.resolve();
    signal?.addEventListener('abort', giveUp, { once: true });
    while (this.state.kind === 'creating' && this.#written < bytes && !signal?.aborted)
      await Promise.race([this.#progress.promise, given.promise]);
    signal?.removeEventListener('abort', giveUp);
  }

  /** Opens it for reading while it is being created; undefined if it has just got its name. */
  async open(): Promise<OpenFile | undefined> {
    const handle = await open(this.file.path, 'r').catch(() => undefined);
    if (!handle) return undefined;
    const follow = async function* (this: FileCreation, { from, to }: ByteSpan): ByteChunks {
      for (let offset = from; offset < to; ) {
        await this.waitFor(offset + 1);
        const { state } = this;
        if (state.kind === 'failed') throw state.cause;
        // What was written is here, in the file that has no name any more.
        const end = Math.min(this.#written, to);
        yield* readChunks(handle, { from: offset, to: end });
        offset = end;
        if (offset < this.#written) continue;
        if (this.state.kind === 'complete') return undefined;
        if (this.state.kind === 'unwritable')
          return yield* sliceChunks(this.createChunks(), { from: offset, to });
      }
      return undefined;
    };
    return { read: (span) => follow.call(this, span), close: () => handle.close() };
  }

  async #run(): Promise<void> {
    const hash = new Bun.CryptoHasher('sha256');
    try {
      for await (const chunk of this.createChunks()) {
        await this.file.write(chunk).catch(throwUnwritable);
        hash.update(chunk);
        this.#written += chunk.length;
        this.#report();
      }
      await this.file.complete(hash.digest()).catch(throwUnwritable);
      this.state = { kind: 'complete' };
    } catch (cause) {
      this.state =
        cause instanceof UnwritableError ? { kind: 'unwritable' } : { kind: 'failed', cause };
      await this.file.discard().catch(() => {});
    }
    this.#report();
  }

  #report(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }
}

function throwUnwritable(cause: unknown): never {
  throw new UnwritableError('the file cannot be written', { cause });
}

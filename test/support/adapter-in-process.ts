import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { plugin } from 'bun';
import { InvalidFileError, type NamedFile } from '../../src/formats/read-contents.ts';
import { explainFailure } from '../../src/publish/adapter/explain-failure.ts';
import { ReadingFile } from '../../src/publish/adapter/opened-file.ts';
import * as tenor from '../../src/publish/adapter/package-entry.ts';
import {
  streamRecordBatches,
  toAdapterFunction,
} from '../../src/publish/adapter/record-batches.ts';
import {
  AdapterError,
  type AdapterOptions,
  assertFilledIn,
  readOptions,
} from '../../src/publish/adapter/run-adapter.ts';
import { readStagedBatches, StagedBatchWriter } from '../../src/publish/adapter/staged-batches.ts';
import { fingerprintFile } from '../../src/publish/load/fingerprint-file.ts';
import type { StagedAdapter } from '../../src/publish/load/read-drafts.ts';

plugin({
  name: 'tenor',
  setup: (build) => void build.module('tenor', () => ({ exports: tenor, loader: 'object' })),
});

/**
 * Runs a callback with the adapter of a file, as `withAdapter` does, but in this process: for tests
 * of what an adapter reads, and not of its process.
 */
export async function withAdapterInProcess<T>(
  adapter: NamedFile,
  callback: (adapter: StagedAdapter & { readonly options: AdapterOptions }) => Promise<T>,
): Promise<T> {
  await assertFilledIn(adapter);
  const fingerprint = await fingerprintFile(adapter);
  const folder = mkdtempSync(join(tmpdir(), 'tenor-adapter-'));
  // A module is imported once from a path.
  const path = join(folder, adapter.name);
  copyFileSync(adapter.path, path);
  const staged = new Map<NamedFile, string>();
  const fail = (cause: unknown, file?: ReadingFile) => {
    const { isOfAdapter, message } = explainFailure(cause, { ...adapter, path }, file);
    return new (isOfAdapter ? AdapterError : InvalidFileError)(message);
  };
  try {
    const module = await import(pathToFileURL(path).href).catch((cause) => {
      throw fail(cause);
    });
    return await callback({
      file: fingerprint,
      options: readOptions(adapter, module.options),
      async stage(named, options) {
        const stagedPath = join(folder, `records-${staged.size}`);
        const writer = new StagedBatchWriter(stagedPath);
        const file = await ReadingFile.open(named, options, () => {});
        try {
          const read = toAdapterFunction(module.default);
          for await (const batch of streamRecordBatches(read, file, () => {})) writer.write(batch);
        } catch (cause) {
          throw fail(cause, file);
        } finally {
          file.close();
          writer.close();
        }
        staged.set(named, stagedPath);
      },
      read: (named) => readStagedBatches(staged.get(named) ?? ''),
      end() {},
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

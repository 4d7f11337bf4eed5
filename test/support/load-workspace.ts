import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { formatProblemLine } from '../../src/cli/format-report.ts';
import { InvalidFileError } from '../../src/formats/read-contents.ts';
import { LoadValidationError } from '../../src/publish/errors.ts';
import type { LoadOptions } from '../../src/publish/load/load-files.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import type { TestStore } from './store.ts';
import { createStore, createTempFolder } from './store.ts';

/** What a file holds: text, bytes, or rows of cells that become CSV as they are. */
export type FileContent = string | Uint8Array | readonly (readonly (string | number)[])[];

export type WorkspaceLoadOptions = Partial<Omit<LoadOptions, 'dataset' | 'files'>>;

/** A place to load files from, and a store to load them into. */
export interface LoadWorkspace {
  readonly store: TestStore;
  readonly folder: string;
  /** Writes a file, and gives its path. */
  writeFile(name: string, content: FileContent): string;
  /** Loads files of the folder by their names. */
  load(
    dataset: Dataset,
    names: string | readonly string[],
    options?: WorkspaceLoadOptions,
  ): ReturnType<typeof loadFiles>;
  /** Loads a file that is to be refused, and gives the lines that a publisher would read. */
  loadProblems(
    dataset: Dataset,
    names: string | readonly string[],
    options?: WorkspaceLoadOptions,
  ): Promise<readonly string[]>;
  /** Every record that stands, in the order of answers. */
  readRecords(dataset: Dataset): Promise<AnyRecord[]>;
  readRevision(): Promise<number>;
  close(): Promise<void>;
}

/** A desk with an empty store. */
export async function createLoadWorkspace(): Promise<LoadWorkspace> {
  const store = await createStore();
  const folder = createTempFolder();
  const publisher = store.publisher();
  const reader = store.reader();
  const run: LoadWorkspace['load'] = (dataset, names, options = {}) => {
    const files = [names].flat().map((name) => ({ path: join(folder, name), name }));
    return loadFiles(publisher, { dataset, files, mapping: {}, author: 'test', ...options });
  };
  return {
    store,
    folder,
    load: run,
    writeFile(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, toBytes(content));
      return path;
    },
    async loadProblems(dataset, names, options) {
      try {
        await run(dataset, names, options);
      } catch (cause) {
        // A file's path is where it happens to be; its name is what people know it by.
        if (cause instanceof InvalidFileError) return [cause.message.replaceAll(`${folder}/`, '')];
        if (cause instanceof LoadValidationError) return cause.problems.map(formatProblemLine);
        throw cause;
      }
      throw new Error('it was not refused');
    },
    async readRecords(dataset) {
      const found: AnyRecord[] = [];
      for await (const batch of reader.records(dataset)) {
        found.push(...batch.map((text) => JSON.parse(text) as AnyRecord));
      }
      return found;
    },
    readRevision: () => reader.revision(),
    async close() {
      publisher.close();
      reader.close();
      await store.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

function toBytes(content: FileContent): string | Uint8Array {
  if (typeof content === 'string' || content instanceof Uint8Array) return content;
  return content.map((cells) => `${cells.join(',')}\n`).join('');
}

import { afterEach, beforeEach } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { formatProblemLine } from '../../src/cli/format.ts';
import { InvalidFileError } from '../../src/formats/read-contents.ts';
import { LoadValidationError } from '../../src/publish/errors.ts';
import type { LoadOptions } from '../../src/publish/load/load-files.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import type { TestStore } from './store.ts';
import { createStore, createTempFolder } from './store.ts';

/** For random records: any date, any number of changes. */
export const UNLIMITED_LOAD = {
  allowsEmpty: true,
  allowsFuture: true,
  canRetireMany: true,
  canCorrectMany: true,
} as const;

/** Later than any date of a test, whatever the clock says. */
const TODAY = '9998-12-31';

/** What a file holds: text, bytes, or rows of cells that become CSV as they are. */
export type FileContent = string | Uint8Array | readonly (readonly (string | number)[])[];

export type WorkspaceLoadOptions = Partial<Omit<LoadOptions, 'dataset' | 'files'>>;

/** A directory to load files from, and a store to load them into. */
export interface LoadWorkspace {
  readonly store: TestStore;
  readonly folder: string;
  /** Writes a file, and returns its path. */
  writeFile(name: string, content: FileContent): string;
  /** Loads files of the folder by their names. */
  load(
    dataset: Dataset,
    names: string | readonly string[],
    options?: WorkspaceLoadOptions,
  ): ReturnType<typeof loadFiles>;
  /** Loads invalid files, which must publish nothing, and returns the lines of their problems. */
  loadProblems(
    dataset: Dataset,
    names: string | readonly string[],
    options?: WorkspaceLoadOptions,
  ): Promise<readonly string[]>;
  /** The lines of problems of a load that must publish nothing. */
  describeRejection(load: () => Promise<unknown>): Promise<readonly string[]>;
  /** Every current record, in the order of responses. */
  readRecords(dataset: Dataset): Promise<AnyRecord[]>;
  readRevision(): Promise<number>;
  close(): Promise<void>;
}

/** A new workspace for each test of a file or a `describe`. */
export function useLoadWorkspace(createTestStore?: () => Promise<TestStore>): LoadWorkspace {
  let workspace: LoadWorkspace;
  beforeEach(async () => {
    workspace = await createLoadWorkspace(createTestStore);
  });
  afterEach(() => workspace.close());
  return new Proxy({} as LoadWorkspace, { get: (_, name) => Reflect.get(workspace, name) });
}

export async function createLoadWorkspace(
  createTestStore: () => Promise<TestStore> = createStore,
): Promise<LoadWorkspace> {
  const store = await createTestStore();
  const folder = createTempFolder();
  const publisher = store.publisher();
  const reader = store.reader();
  const run: LoadWorkspace['load'] = (dataset, names, options = {}) => {
    const files = [names].flat().map((name) => ({ path: join(folder, name), name }));
    return loadFiles(publisher, {
      dataset,
      files,
      mapping: {},
      author: 'test',
      today: TODAY,
      ...options,
    });
  };
  const describeRejection: LoadWorkspace['describeRejection'] = async (load) => {
    // A reader may know of a revision a moment later.
    const countRevisions = async () => (await store.query('SELECT revision FROM revisions')).length;
    const count = await countRevisions();
    try {
      await load();
    } catch (cause) {
      if ((await countRevisions()) !== count) throw new Error('a rejected load published');
      // Messages name files by their paths, which differ between runs.
      if (cause instanceof InvalidFileError) return [cause.message.replaceAll(`${folder}/`, '')];
      if (cause instanceof LoadValidationError) return cause.problems.map(formatProblemLine);
      throw cause;
    }
    throw new Error('the load was not rejected');
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
    loadProblems: (dataset, names, options) =>
      describeRejection(() => run(dataset, names, options)),
    describeRejection,
    async readRecords(dataset) {
      const records: AnyRecord[] = [];
      for await (const batch of reader.records(dataset)) {
        records.push(...batch.map((text) => JSON.parse(text) as AnyRecord));
      }
      return records;
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

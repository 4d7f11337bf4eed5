import { onlineBankingAnnualVolume as online } from '../../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { type FileContent, useLoadWorkspace } from '../../support/load-workspace.ts';

/** A workspace, with functions that load one file with an adapter. */
export function useAdapterLoader() {
  const workspace = useLoadWorkspace();
  const prepare = (name: string, content: FileContent, source: string) => {
    workspace.writeFile(name, content);
    return { adapter: { path: workspace.writeFile('adapter.ts', source), name: 'adapter.ts' } };
  };
  return {
    workspace,
    async load(name: string, content: FileContent, source: string, dataset: Dataset = online) {
      return workspace.load(dataset, name, prepare(name, content, source));
    },
    /** The records of a valid file. */
    async read(name: string, content: FileContent, source: string, dataset: Dataset = online) {
      await workspace.load(dataset, name, prepare(name, content, source));
      return workspace.readRecords(dataset);
    },
    /** The problems of an invalid file or adapter, as lines. */
    loadInvalid(name: string, content: FileContent, source: string, dataset: Dataset = online) {
      return workspace.loadProblems(dataset, name, prepare(name, content, source));
    },
  };
}

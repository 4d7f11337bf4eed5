import { onlineBankingAnnualVolume as online } from '../../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { type AdapterOptions, withAdapter } from '../../../src/publish/adapter/run-adapter.ts';
import type { StagedAdapter } from '../../../src/publish/load/read-drafts.ts';
import { withAdapterInProcess } from '../../support/adapter-in-process.ts';
import { type FileContent, useLoadWorkspace } from '../../support/load-workspace.ts';

/** A workspace, with functions that load one file with an adapter. */
export function useAdapterLoader({ isInProcess = false } = {}) {
  const workspace = useLoadWorkspace();
  const load = (name: string, content: FileContent, source: string, dataset: Dataset = online) => {
    workspace.writeFile(name, content);
    const file = { path: workspace.writeFile('adapter.ts', source), name: 'adapter.ts' };
    const loadWith = (adapter?: StagedAdapter & { readonly options: AdapterOptions }) =>
      workspace.load(dataset, name, { adapter, mapping: adapter?.options ?? {} });
    return isInProcess
      ? withAdapterInProcess(file, loadWith)
      : withAdapter(file, () => {}, loadWith);
  };
  return {
    workspace,
    load,
    /** The records of a valid file. */
    async read(name: string, content: FileContent, source: string, dataset: Dataset = online) {
      await load(name, content, source, dataset);
      return workspace.readRecords(dataset);
    },
    /** The problems of an invalid file or adapter, as lines. */
    loadInvalid(name: string, content: FileContent, source: string, dataset: Dataset = online) {
      return workspace.describeRejection(() => load(name, content, source, dataset));
    },
  };
}

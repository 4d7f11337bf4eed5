import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { type FileContent, useLoadWorkspace } from '../support/load-workspace.ts';

export const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';
export const ROW = '2024,61.3,82.6,55.2,199.1';
export const RECORD = {
  year: '2024',
  cash_wtl: 61.3,
  cash_deposit: 82.6,
  funds_transfer: 55.2,
  total: 199.1,
};
export const NUMBER = 'a finite number; a whole one within ±(2^53 − 1)';

/** A workspace, with functions that write one file and load it. */
export function useFileLoader() {
  const workspace = useLoadWorkspace();
  return {
    workspace,
    /** The records of a valid file. */
    async read(
      name: string,
      content: FileContent,
      mapping: Mapping = {},
      dataset: Dataset = online,
    ) {
      workspace.writeFile(name, content);
      await workspace.load(dataset, name, { mapping });
      return workspace.readRecords(dataset);
    },
    /** The problems of an invalid file, as lines. */
    loadInvalid(
      name: string,
      content: FileContent,
      mapping: Mapping = {},
      dataset: Dataset = online,
    ) {
      workspace.writeFile(name, content);
      return workspace.loadProblems(dataset, name, { mapping });
    },
  };
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readNewestCatalogue } from '../../catalogue/catalogues.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Candidate, PublishTransaction, SourceFile } from '../../store/open-store.ts';
import { declareDatasets, retireDataset } from '../declare-dataset.ts';
import { PublishError } from '../errors.ts';
import { loadFiles } from '../load/load-files.ts';
import { type Renaming, renameCode } from '../rename-code.ts';
import {
  type RecordFilter,
  retireQuotes,
  retireRecords,
  retireSelected,
} from '../retire-records.ts';
import { revertRevision } from '../revert-revision.ts';
import { type LoadInput, type ReadPart, unpackLoad } from './candidate-files.ts';

/** What a candidate publishes, as plain data. */
export type CandidateInput =
  | LoadInput
  | { readonly kind: 'retire'; readonly dataset: string; readonly keys: readonly string[] }
  | {
      readonly kind: 'retire-quotes';
      readonly symbol: string;
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | ({ readonly kind: 'retire-selected'; readonly dataset: string } & RecordFilter)
  | ({ readonly kind: 'rename-code' } & Renaming)
  | { readonly kind: 'revert'; readonly revision: number }
  | {
      readonly kind: 'declare';
      readonly declarations: readonly unknown[];
      readonly source: string;
      readonly files: readonly SourceFile[];
    }
  | { readonly kind: 'retire-dataset'; readonly name: string; readonly withRecords: boolean }
  /** Publishes nothing: how many approvals candidates of a dataset need from then on. */
  | { readonly kind: 'review'; readonly dataset: string; readonly approvals: number };

export function getInput({ input }: Pick<Candidate, 'input'>): CandidateInput {
  return input as CandidateInput;
}

interface RunContext {
  readonly candidate: Pick<Candidate, 'input' | 'author' | 'due' | 'stagedAt'>;
  readonly readPart: ReadPart;
  /** A temporary folder, for the files of loads. */
  readonly folder: string;
}

/** Publishes what a candidate has, as the commands do; returns the report of a load. */
export async function runInput(
  transaction: PublishTransaction,
  { candidate, readPart, folder }: RunContext,
): Promise<Readonly<Record<string, unknown>>> {
  const input = getInput(candidate);
  const { author } = candidate;
  const publisher: Parameters<typeof loadFiles>[0] = {
    transaction: (callback) => callback(transaction),
  };
  switch (input.kind) {
    case 'load': {
      mkdirSync(folder, { mode: 0o700 });
      const dataset = await findDataset(transaction, input.dataset);
      const files = await unpackLoad(input, readPart, folder);
      // Always the same, so that what is published is what was looked at.
      const at = new Date(candidate.due ?? candidate.stagedAt);
      const load = { ...input.options, ...files, dataset, author, at };
      return { ...(await loadFiles(publisher, load)).report };
    }
    case 'retire': {
      const dataset = await findDataset(transaction, input.dataset);
      await retireRecords(publisher, { dataset, keys: input.keys, author });
      return {};
    }
    case 'retire-quotes':
      await retireQuotes(publisher, { ...input, author });
      return {};
    case 'retire-selected': {
      const dataset = await findDataset(transaction, input.dataset);
      await retireSelected(publisher, { ...input, dataset, author });
      return {};
    }
    case 'rename-code':
      await renameCode(publisher, { ...input, author });
      return {};
    case 'revert':
      await revertRevision(publisher, catalogue, { revision: input.revision, author });
      return {};
    case 'declare':
      await declareDatasets(publisher, { ...input, author });
      return {};
    case 'retire-dataset':
      await retireDataset(publisher, { ...input, author });
      return {};
    case 'review':
      return {};
  }
}

async function findDataset(transaction: PublishTransaction, name: string): Promise<Dataset> {
  const { datasets } = await readNewestCatalogue(catalogue, transaction);
  const dataset = datasets.find((each) => each.name === name);
  if (dataset) return dataset;
  throw new PublishError(`nothing was published: there is no dataset ${name} any more`);
}

/** A folder of one candidate within that of a transaction. */
export const joinFolder = (folder: string, id: number) => join(folder, String(id));

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import publications from '../../examples/sample/publications.json' with { type: 'json' };
import { readNewestCatalogue } from '../catalogue/catalogues.ts';
import { datasets } from '../catalogue/datasets/datasets.ts';
import { catalogue } from '../catalogue/index.ts';
import type { NamedFile } from '../formats/read-contents.ts';
import { declareDatasets } from '../publish/declare-dataset.ts';
import { fingerprintFile } from '../publish/load/fingerprint-file.ts';
import { loadFiles } from '../publish/load/load-files.ts';
import { createTemporaryFolder } from '../shared/temporary-folder.ts';
import type {
  DatasetChange,
  Publisher,
  PublishTransaction,
  SourceFile,
} from '../store/open-store.ts';
import { getSampleFile } from './get-sample-file.ts';

interface SamplePublication {
  readonly at: string;
  readonly dataset: string;
  readonly source: string;
  readonly files: readonly NamedFile[];
}

/** Publishes the files of a fictitious market in the order of their list, as the commands would. */
export async function publishSample(transaction: PublishTransaction): Promise<void> {
  const folder = createTemporaryFolder();
  try {
    for (const { files: names, ...entry } of publications) {
      const files = await Promise.all(names.map((name) => copySampleFile(name, folder)));
      const publication = { ...entry, files };
      const publisher = createSamplePublisher(transaction, publication);
      if (entry.dataset === datasets.name) await declareSampleDatasets(publisher, publication);
      else await loadSampleFiles(publisher, transaction, publication);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a file, because those in the executable cannot be opened as others are. */
async function copySampleFile(name: string, folder: string): Promise<NamedFile> {
  const path = join(folder, name);
  await Bun.write(path, Bun.file(getSampleFile(name)));
  return { name, path };
}

/** Publishes in a transaction, with the instant of the list. */
function createSamplePublisher(
  transaction: PublishTransaction,
  { at, source }: SamplePublication,
): Pick<Publisher, 'transaction'> {
  // If the machine's clock is behind the sample's, later loads would seem to precede the sample.
  const instant = new Date(Math.min(Date.parse(at), Date.now()));
  const toSample = (change: DatasetChange) => ({ ...change, source, sample: true, at: instant });
  const sampled: PublishTransaction = {
    ...transaction,
    stage: (change) => transaction.stage(toSample(change)),
    publish: (change) => transaction.publish(toSample(change)),
  };
  return { transaction: (callback) => callback(sampled) };
}

async function loadSampleFiles(
  publisher: Pick<Publisher, 'transaction'>,
  transaction: PublishTransaction,
  { at, dataset: name, files }: SamplePublication,
): Promise<void> {
  const dataset = (await readNewestCatalogue(catalogue, transaction)).find(name);
  if (!dataset) throw new TypeError(`the sample has no dataset ${name}`);
  const today = at.slice(0, 10);
  await loadFiles(publisher, { dataset, files, mapping: {}, author: AUTHOR, today });
}

async function declareSampleDatasets(
  publisher: Pick<Publisher, 'transaction'>,
  { source, files }: SamplePublication,
): Promise<void> {
  const declarations = await Promise.all(files.map(({ path }) => Bun.file(path).json()));
  const fingerprints = await Promise.all(files.map(fingerprintFile));
  const origin = { source, files: fingerprints.map(toSourceFile), author: AUTHOR };
  await declareDatasets(publisher, { declarations, ...origin });
}

const toSourceFile = ({ name, bytes, sha256 }: SourceFile): SourceFile => ({ name, bytes, sha256 });

const AUTHOR = 'sample';

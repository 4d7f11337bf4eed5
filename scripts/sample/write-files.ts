// npm run sample: writes examples/sample/, the files that a first start publishes.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { datasets, toDeclaration } from '../../src/catalogue/datasets/datasets.ts';
import { FILE_WRITERS } from '../../src/formats/writers.ts';
import { collectKeyOrders } from '../../src/tabular/key-order.ts';
import { createTabularLayout } from '../../src/tabular/layout.ts';
import { createSamplePublications, type SamplePublication } from './sample-publications.ts';

export const SAMPLE_FOLDER = join(import.meta.dirname, '../../examples/sample');

/** The list of what is published when. */
export const LIST_FILE = 'publications.json';

/** Larger files are compressed. */
const MAX_PLAIN_BYTES = 100_000;

export interface SampleFile {
  readonly name: string;
  /** Before it is compressed. */
  readonly content: string;
}

/** The files of the sample; a name that ends in `.gz` is that of a compressed file. */
export async function generateSampleFiles(): Promise<SampleFile[]> {
  const written: SampleFile[] = [];
  const list = [];
  for (const publication of createSamplePublications()) {
    const { at, dataset, source } = publication;
    const files = dataset === datasets ? toDeclarations(publication) : [await toCsv(publication)];
    written.push(...files);
    const names = files.map(({ name }) => name);
    list.push({ at: at.toISOString(), dataset: dataset.name, source, files: names });
  }
  const lines = list.map((publication) => `  ${JSON.stringify(publication)}`);
  return [...written, { name: LIST_FILE, content: `[\n${lines.join(',\n')}\n]\n` }];
}

async function toCsv({ at, dataset, records }: SamplePublication): Promise<SampleFile> {
  const { columns, toRows } = createTabularLayout(dataset, collectKeyOrders(dataset, records));
  const rows = (async function* () {
    yield records.flatMap(toRows);
  })();
  const table = { title: dataset.name, columns, rows, tellsUnits: false };
  const chunks = await Array.fromAsync(FILE_WRITERS.csv(table));
  const content = Buffer.concat(chunks).toString();
  const ending = content.length > MAX_PLAIN_BYTES ? 'csv.gz' : 'csv';
  return { name: `${at.toISOString().slice(0, 10)}-${dataset.name}.${ending}`, content };
}

function toDeclarations({ records }: SamplePublication): SampleFile[] {
  return records.map(toDeclaration).map((declaration) => {
    return {
      name: `${declaration.name}.json`,
      content: `${JSON.stringify(declaration, null, 2)}\n`,
    };
  });
}

if (import.meta.main) {
  rmSync(SAMPLE_FOLDER, { recursive: true, force: true });
  mkdirSync(SAMPLE_FOLDER);
  for (const { name, content } of await generateSampleFiles()) {
    const bytes = Buffer.from(content);
    const stored = name.endsWith('.gz') ? Bun.gzipSync(bytes, { level: 9 }) : bytes;
    writeFileSync(join(SAMPLE_FOLDER, name), stored);
  }
  console.log(`${SAMPLE_FOLDER}: ${readdirSync(SAMPLE_FOLDER).length} files`);
}

// Prints a digest of every export as of every revision, as a release reads them:
// bun bench/faults/upgrade/print-exports.ts FOLDER DATABASE_URL
import { join } from 'node:path';

const [root = '', url = ''] = process.argv.slice(2);
const { catalogue } = await import(join(root, 'src/catalogue/index.ts'));
const { openStore } = await import(join(root, 'src/store/open-store.ts'));
const { exportDataset } = await import(join(root, 'src/tabular/export-dataset.ts'));

const store = await openStore(url, catalogue, { preparation: 'none' });
const reader = store.reader();
const newest: number = await reader.revision();
const digests: Record<string, string> = {};
for (const dataset of catalogue) {
  for (let revision = 1; revision <= newest; revision++) {
    for (const format of ['ndjson', 'csv', 'parquet']) {
      const hasher = new Bun.CryptoHasher('sha256');
      for await (const chunk of exportDataset(reader, dataset, format, revision))
        hasher.update(chunk);
      digests[`${dataset.name} ${revision} ${format}`] = hasher.digest('hex');
    }
  }
}
reader.close();
console.log(JSON.stringify(digests));

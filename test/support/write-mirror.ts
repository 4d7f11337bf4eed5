import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { datasets as declarations, toDeclaration } from '../../src/catalogue/datasets/datasets.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { writeParquet } from '../../src/formats/parquet/write-parquet.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { formatDay } from '../../src/shared/calendar.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { collectKeyOrders } from '../../src/tabular/key-order.ts';
import { createTabularLayout } from '../../src/tabular/layout.ts';
import type { TestStore } from './store.ts';

interface MirrorOptions {
  readonly scopes?: readonly string[];
  readonly since?: number;
}

/** Writes a mirror of a store to a folder. */
export async function writeMirror(
  store: TestStore,
  folder: string,
  { scopes = ['*'], since = 1 }: MirrorOptions = {},
): Promise<void> {
  const write = (path: string, contents: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  };
  const server = await createInProcessServer(store, catalogue);
  const reader = store.reader();
  const get = async (target: string) => (await server.get(target)).bytes();
  const isOpen = ({ scope }: Dataset) =>
    scope === 'public' || scopes.some((each) => each === '*' || each === scope);
  const newest = await reader.revision();
  const rows = await store.query('SELECT revision, checkpoint FROM revision_digests');
  for (let revision = since; revision <= newest; revision += 1) {
    const open = (await listDatasets(reader, revision)).filter(isOpen);
    const files: Record<string, object> = {};
    for (const dataset of open) {
      const cuts = [...(await cutRecords(reader, dataset, revision))].sort(([a], [b]) =>
        a < b ? -1 : 1,
      );
      const paths: string[] = [];
      for (const [, records] of cuts) {
        const bytes = await encodeCut(dataset, records);
        paths.push(`data/${Bun.SHA256.hash(bytes, 'hex')}.parquet`);
        write(paths.at(-1) ?? '', bytes);
      }
      files[dataset.name] = {
        files: paths,
        ...(hasDates(dataset) && { months: cuts.map(([month]) => month) }),
      };
    }
    const entry = await get(`/ledger/entries/${revision}`);
    const { dataset, publishedAt } = JSON.parse(new TextDecoder().decode(entry));
    if (scopes[0] === '*' || open.some(({ name }) => name === dataset)) {
      write(`revisions/${revision}/entry.json`, entry);
      const range = `since=${revision - 1}&until=${revision}&as_of=${revision}&as_stored=true`;
      write(
        `changes/${revision}.ndjson`,
        await get(`/changes/${dataset}?${range}&format=ndjson&limit=10000`),
      );
    }
    const begin = since === 1 ? {} : { since };
    const manifest = { revision, publishedAt, scopes, ...begin, datasets: files };
    write(`revisions/${revision}/manifest.json`, JSON.stringify(manifest));
    write(
      `revisions/${revision}/checkpoint`,
      String(rows.find((row) => row.revision === revision)?.checkpoint),
    );
    write(`revisions/${revision}/keys.json`, await get('/ledger/keys'));
  }
  const tile = newest % 256 === 0 ? '000' : `000.p/${newest}`;
  write(`ledger/tile/0/${tile}`, await get(`/ledger/tile/0/${tile}`));
  write('latest.json', JSON.stringify({ revision: newest }));
  reader.close();
  server.close();
}

async function listDatasets(reader: StoreReader, revision: number): Promise<Dataset[]> {
  const texts = (await Array.fromAsync(reader.records(declarations, revision))).flat();
  return [
    ...catalogue,
    ...texts.map((text) => createDeclaredDataset(toDeclaration(JSON.parse(text)))),
  ];
}

const hasDates = ({ period, fields, shape }: Dataset) =>
  shape !== 'fund' && Boolean(period ?? fields.date);

/** The records of each month, by the last day of their periods. */
async function cutRecords(reader: StoreReader, dataset: Dataset, revision: number) {
  const texts = (await Array.fromAsync(reader.records(dataset, revision))).flat();
  const { period } = dataset;
  return Map.groupBy(
    texts.map((text) => JSON.parse(text) as AnyRecord),
    (record) => {
      if (!hasDates(dataset)) return '';
      const day = period && formatDay(period.kind.findLastDay(String(record[period.field])) ?? 0);
      return (day ?? String(record.date)).slice(0, 7);
    },
  );
}

async function encodeCut(dataset: Dataset, records: readonly AnyRecord[]): Promise<Uint8Array> {
  const { columns, toRows } = createTabularLayout(dataset, collectKeyOrders(dataset, records));
  const rows = (async function* () {
    yield records.flatMap(toRows);
  })();
  const chunks = await Array.fromAsync(writeParquet({ title: dataset.name, columns, rows }));
  return Buffer.concat(chunks);
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Catalogues } from '../../../src/catalogue/catalogues.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { exportDataset } from '../../../src/tabular/export-dataset.ts';
import { retryUntil } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { mirrorTo, readFiles } from '../../support/mirror-folder.ts';
import { startTenorServer } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';
import { findCodeBlocks } from '../docs/code-blocks.ts';
import { canRun, PYTHON } from '../docs/example-workspace.ts';

const REVISIONS = [1, 2, 3, 5, 8, 13, 18, 22, 26, 28];
const NGINX = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` });
const hasDuckdb = canRun(PYTHON, '-c', 'import duckdb');
const hasHttpfs = canRun(PYTHON, '-c', 'import duckdb, duckdb_extension_httpfs');
if (!hasDuckdb) console.log(`DuckDB does not read mirrors here: ${PYTHON} has no duckdb`);
if (!NGINX || !hasHttpfs)
  console.log(
    `DuckDB does not read mirrors over nginx here: ${NGINX ? `${PYTHON} has no duckdb_extension_httpfs` : 'nginx is not installed'}`,
  );

const folder = createTempFolder();
const mirror = join(folder, 'mirror');
/** Exports of all datasets as of the revisions: `20/quotes.parquet`. */
const exported = join(folder, 'exports');

beforeAll(async () => {
  // The sample has corrections, keyed lists, funds, and declared datasets.
  const url = `sqlite:${join(folder, 'tenor.db')}`;
  await (await startTenorServer({ DATABASE_URL: url })).stop();
  const store = await openStore(url, catalogue);
  await mirrorTo(store, mirror);
  const reader = store.reader();
  for (const revision of REVISIONS) {
    mkdirSync(join(exported, String(revision)), { recursive: true });
    for (const dataset of (await new Catalogues(catalogue, reader).prepare(revision)).datasets) {
      const chunks = await Array.fromAsync(exportDataset(reader, dataset, 'parquet', revision));
      writeFileSync(
        join(exported, String(revision), `${dataset.name}.parquet`),
        Buffer.concat(chunks),
      );
    }
  }
  reader.close();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints the datasets whose rows differ, and how many rows there were. */
const COMPARE = `
import glob, json, os, sys, urllib.request
import duckdb
mirror, exported, revisions = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
connection = duckdb.connect(config={'allow_unsigned_extensions': 'true'})
# Without a file, Python counts as interactive, and a query of two seconds prints a bar.
connection.execute('SET enable_progress_bar = false')
if mirror.startswith('http'):
    import duckdb_extension_httpfs
    root = os.path.dirname(duckdb_extension_httpfs.__file__)
    connection.execute("LOAD '" + glob.glob(root + '/**/httpfs.duckdb_extension', recursive=True)[0] + "'")

def read(path):
    with urllib.request.urlopen(mirror + path) as response:
        return json.load(response)
rows = 0
for revision in revisions:
    for name, entry in read(f'/revisions/{revision}/manifest.json')['datasets'].items():
        other = f"read_parquet('{exported}/{revision}/{name}.parquet')"
        count, = connection.execute(f'SELECT count(*) FROM {other}').fetchone()
        rows += count
        if not entry['files']:
            if count > 0: print(revision, name, 'has no files')
            continue
        own = f"read_parquet({[mirror + '/' + path for path in entry['files']]}, union_by_name = true)"
        names = [column for column, *_ in connection.execute(f'DESCRIBE SELECT * FROM {own}').fetchall()]
        columns = ', '.join('"' + column + '"' for column in names)
        for a, b in ((own, other), (other, own)):
            missing, = connection.execute(f'SELECT count(*) FROM (SELECT {columns} FROM {a} EXCEPT ALL SELECT {columns} FROM {b})').fetchone()
            if missing > 0: print(revision, name, missing)
print(rows)
`;

async function compare(address: string): Promise<string> {
  const command = [PYTHON, '-c', COMPARE, address, exported, JSON.stringify(REVISIONS)];
  const env = { ...process.env, no_proxy: '*' };
  const child = spawnChild(command, { env, stderr: 'pipe' });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(err);
  return out;
}

test.skipIf(!hasDuckdb)(
  'DuckDB reads the rows of the export from the folder, as of ten revisions',
  async () => expect(await compare(`file://${mirror}`)).toMatch(/^[1-9]\d{5,}\n$/),
  120_000,
);

describe.skipIf(!NGINX)('behind nginx as in how-to/mirror.md', () => {
  const address = `http://127.0.0.1:${findFreePort()}`;
  let nginx: Bun.Subprocess | undefined;
  beforeAll(async () => {
    const server = findCodeBlocks('how-to/mirror.md').find(({ language }) => language === 'nginx');
    const site = (server?.code ?? '')
      .replace('listen 80', `listen ${new URL(address).host}`)
      .replace('/srv/mirror', mirror);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
    // Other users may not read the folder.
    const user = process.getuid?.() === 0 ? ['user root;'] : [];
    const lines = [
      ...user,
      'daemon off;',
      `pid ${folder}/nginx.pid;`,
      'worker_processes 1;',
      'events {}',
    ];
    const http = `http {\naccess_log off;\n${temporary}\n${site}}`;
    writeFileSync(join(folder, 'nginx.conf'), [...lines, http].join('\n'));
    const config = join(folder, 'nginx.conf');
    nginx = spawnChild([NGINX ?? '', '-p', folder, '-c', config, '-e', 'stderr'], {
      stderr: 'ignore',
    });
    await retryUntil(30_000, async () =>
      expect((await fetch(`${address}/latest.json`)).ok).toBe(true),
    );
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await nginx?.exited;
  });

  test('only latest.json may change, every origin may read, and drafts are not served', async () => {
    for (const path of readFiles(mirror).keys()) {
      const { status, headers } = await fetch(`${address}/${path}`, { method: 'HEAD' });
      const cache =
        path === 'latest.json' ? 'public, max-age=5' : 'public, max-age=31536000, immutable';
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, cache]);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    const missing = await fetch(`${address}/revisions/29/manifest.json`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, null]);
    writeFileSync(join(mirror, '.tenor-draft-1'), '');
    expect((await fetch(`${address}/.tenor-draft-1`)).status).toBe(404);
  });

  test.skipIf(!hasHttpfs)(
    'DuckDB reads the rows of the export over HTTP, as of ten revisions',
    async () => expect(await compare(address)).toMatch(/^[1-9]\d{5,}\n$/),
    120_000,
  );
});

import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import { copyDatabase } from './copy-store.ts';
import { checkpoint, createFilledStore, createTempFolder } from './store.ts';

export const SERIES = onlineBankingAnnualVolume.name;
export const CSV_HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';

/** A folder of its own for each command, with a copy of a database that has every fixture. */
export function createTerminalWorkspace() {
  // Each test starts the command, on a machine that may be busy.
  setDefaultTimeout(120_000);
  let root = '';
  let folderCount = 0;
  beforeAll(async () => {
    root = createTempFolder();
    await using store = await createFilledStore();
    checkpoint(store.path);
    copyDatabase(store.path, join(root, 'filled.db'));
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return function createFolder() {
    const folder = join(root, String(folderCount++));
    mkdirSync(folder);
    const database = join(folder, 'x.db');
    copyDatabase(join(root, 'filled.db'), database);
    const writeFile = (name: string, content: string) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const env = { DATABASE_URL: `sqlite:${database}`, PORT: '0', USER: 'ann', TMPDIR: folder };
    return { folder, env, writeFile };
  };
}

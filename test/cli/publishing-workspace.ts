import { afterEach, beforeEach, setDefaultTimeout } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createEmptyDatabase, createTempFolder } from '../support/store.ts';

export const ONLINE = onlineBankingAnnualVolume.name;
export const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';

/** A CSV file with a record for each year, and its cash withdrawals. */
export function formatYears(cash: Readonly<Record<string, number | string>>): string {
  const lines = Object.entries(cash).map(
    ([year, value]) => `${year},${value},1,1,${Number(value) + 2}`,
  );
  return [HEADER, ...lines, ''].join('\n');
}

/** A new folder with an empty database for each test of a file, and commands that run on it. */
export function createPublishingWorkspace() {
  // Each test starts the command several times, on a machine that may be busy.
  setDefaultTimeout(120_000);
  const workspace = { folder: '', env: {} as Record<string, string> };
  beforeEach(async () => {
    workspace.folder = createTempFolder();
    const path = join(workspace.folder, 'x.db');
    await createEmptyDatabase(path);
    workspace.env = { DATABASE_URL: `sqlite:${path}`, USER: 'ann' };
  });
  afterEach(() => rmSync(workspace.folder, { recursive: true }));

  const run = (...args: string[]) => runTenor(args, workspace.env);
  const writeFile = (name: string, content: string): string => {
    const path = join(workspace.folder, name);
    writeFileSync(path, content);
    return path;
  };
  const open = () => openStore(workspace.env.DATABASE_URL ?? '', catalogue);
  return {
    /** The folder and the environment of the current test. */
    workspace,
    run,
    load: (...args: string[]) => run('load', ONLINE, ...args),
    readJson: async (...args: string[]) => JSON.parse((await run(...args, '--json')).out),
    writeFile,
    writeYears: (name: string, cash: Parameters<typeof formatYears>[0]): string =>
      writeFile(name, formatYears(cash)),
    open,
    /** Loads a file as the command does, without the time that starting it takes. */
    async publish(path: string, dataset: Dataset = onlineBankingAnnualVolume): Promise<void> {
      const publisher = (await open()).publisher();
      const files = [{ path, name: path }];
      await loadFiles(publisher, { dataset, files, mapping: {}, author: 'ann' });
      publisher.close();
    },
  };
}

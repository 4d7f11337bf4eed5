import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  createClusterDatabase,
  dropClusterDatabase,
  explainMissingCitus,
} from '../../test/support/citus.ts';
import { runSql } from '../../test/support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../../test/support/postgres.ts';
import type { Release } from './release.ts';

/** A kind of database that both releases are tried on. */
export interface ComparedEngine {
  explainMissing(): string | undefined;
  /** The URL of a database that is empty, or not there yet. */
  createDatabase(folder: string): Promise<string>;
  /** Creates the tables, where that is not done by the first server. */
  prepare(release: Release): Promise<void>;
  /** Has the planner know the data, as it does where a database is older than a minute. */
  analyze(url: string): Promise<void>;
  dropDatabase(url: string): Promise<void>;
}

async function analyze(url: string): Promise<void> {
  await runSql(url, 'ANALYZE');
}

export const ENGINES: Readonly<Record<string, ComparedEngine>> = {
  sqlite: {
    explainMissing: () => undefined,
    async createDatabase(folder) {
      const subfolder = join(folder, crypto.randomUUID());
      mkdirSync(subfolder);
      return `sqlite:${join(subfolder, 'tenor.db')}`;
    },
    prepare: async () => {},
    analyze: async () => {},
    dropDatabase: async () => {},
  },
  postgres: {
    explainMissing: explainMissingPostgres,
    createDatabase: async () => (await getSharedPostgres()).createDatabase(),
    prepare: async () => {},
    analyze,
    dropDatabase: async (url) => (await getSharedPostgres()).dropDatabase(url),
  },
  citus: {
    explainMissing: explainMissingCitus,
    createDatabase: () =>
      createClusterDatabase(`tenor_releases_${crypto.randomUUID().replaceAll('-', '')}`),
    prepare: (release) => release.run('migrate', '--distribute'),
    analyze,
    dropDatabase: (url) => dropClusterDatabase(new URL(url).pathname.slice(1)),
  },
};

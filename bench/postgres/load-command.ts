import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createQuotesFile } from '../generate-quotes-file.ts';
import { loadQuotes } from '../loads.ts';
import type { ResultRow } from '../result-table.ts';
import type { CommandUsage } from '../server-processes.ts';
import { median } from '../statistics.ts';
import { getBenchServer } from './bench-server.ts';
import { type CopyChunks, measureCopy, readCopyChunks } from './copy-baseline.ts';

const ROUNDS = 3;
const MILLION = 1_000_000;

/** Loading a file, compared with a plain COPY of the same rows. */
export async function benchmarkPostgresLoad(): Promise<ResultRow[]> {
  const file = await createQuotesFile(MILLION);
  const server = await getBenchServer();
  const loads: CommandUsage[] = [];
  const copies: number[] = [];
  let chunks: CopyChunks | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const url = await server.createDatabase();
    await openStore(url, catalogue);
    const pool = new SQL(url, { max: 1 });
    // Earlier writes must not affect the measurement.
    await pool.unsafe('CHECKPOINT');
    loads.push(await loadQuotes(url, file));
    chunks ??= await readCopyChunks(pool);
    await pool.unsafe('CHECKPOINT');
    copies.push(await measureCopy(pool, chunks));
    await pool.close();
    await server.dropDatabase(url);
  }
  const seconds = (values: readonly number[]) => `${median(values).toFixed(1)} s`;
  return [
    {
      label: 'loading 1,000,000 quotes from CSV into an empty PostgreSQL database',
      measured: `${seconds(loads.map((load) => load.seconds))} (${seconds(loads.map((load) => load.cpuSeconds))} of CPU)`,
      baseline: `${seconds(copies)}, COPY of the same rows, with the same indexes`,
      ratio: median(loads.map((load, round) => (copies[round] ?? 0) / load.seconds)),
      aim: '≥ 0.40',
    },
  ];
}

import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { quotesFile } from '../generate-quotes-file.ts';
import { median, type Row } from '../result-table.ts';
import { type Finished, finished, loadQuotes } from '../server-processes.ts';
import { benchServer } from './bench-server.ts';
import { copyTime, type Pieces, piecesOf } from './copy-baseline.ts';

const ROUNDS = 3;
const MILLION = 1_000_000;

/** Loading a file against what a plain COPY of the same rows takes, and against reading it. */
export async function loadingOnPostgres(): Promise<Row[]> {
  const file = await quotesFile(MILLION);
  const server = await benchServer();
  const loads: Finished[] = [];
  const copies: number[] = [];
  let chunks: Pieces | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const url = await server.createDatabase();
    await openStore(url, catalogue);
    const pool = new SQL(url, { max: 1 });
    // What was written before is out of the way of what is measured.
    await pool.unsafe('CHECKPOINT');
    loads.push(await finished(loadQuotes(file), { DATABASE_URL: url }));
    chunks ??= await piecesOf(pool);
    await pool.unsafe('CHECKPOINT');
    copies.push(await copyTime(pool, chunks));
    await pool.close();
    await server.dropDatabase(url);
  }
  const seconds = (values: readonly number[]) => `${median(values).toFixed(1)} s`;
  return [
    {
      what: 'loading 1,000,000 quotes from CSV into an empty PostgreSQL database',
      measured: `${seconds(loads.map((load) => load.seconds))} (${seconds(loads.map((load) => load.cpuSeconds))} of CPU)`,
      against: `${seconds(copies)}, COPY of the same rows, with the same indexes`,
      ratio: median(loads.map((load, round) => (copies[round] ?? 0) / load.seconds)),
      aim: '≥ 0.40',
    },
  ];
}

import { load } from './load.ts';
import { AUTHORIZED, bare, ours } from './processes.ts';
import { median, type Row } from './table.ts';

const ROUNDS = 14;
const PAUSE_MS = 300;
const SECONDS = 1;

/** Answers that were asked for before, against a bare handler that returns the same bytes. */
export async function hot(databaseUrl: string, targets: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, target] of Object.entries(targets))
    rows.push(await one(databaseUrl, what, target));
  return rows;
}

async function one(databaseUrl: string, what: string, target: string): Promise<Row> {
  const server = await ours(databaseUrl);
  const response = await fetch(`${server.address}${target}`, { headers: AUTHORIZED });
  const bytes = Number(response.headers.get('content-length'));
  const plain = await bare(response);
  const rates: { ours: number; bare: number }[] = [];
  await measured(server.address, target);
  await measured(plain.address, target);
  // Side by side and in turn, so that what else the machine does meets both; who goes first
  // changes, because whoever follows inherits a busy machine.
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) {
      const first = await measured(server.address, target);
      rates.push({ ours: first, bare: await measured(plain.address, target) });
    } else {
      const first = await measured(plain.address, target);
      rates.push({ bare: first, ours: await measured(server.address, target) });
    }
  }
  await Promise.all([server.stop(), plain.stop()]);
  return {
    what: `${what} (${(bytes / 1_000).toFixed(1)} KB), asked before`,
    measured: `${Math.round(median(rates.map(({ ours }) => ours)))} req/s`,
    against: `${Math.round(median(rates.map(({ bare }) => bare)))} req/s, bare handler`,
    ratio: median(rates.map(({ ours, bare }) => ours / bare)),
    aim: '≥ 0.85',
  };
}

async function measured(address: string, target: string): Promise<number> {
  await Bun.sleep(PAUSE_MS);
  return load.run({ address, targets: [target], headers: AUTHORIZED }, SECONDS);
}

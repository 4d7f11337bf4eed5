import { load } from './load.ts';
import { bare, ours, TOKEN } from './processes.ts';
import { median, type Row } from './table.ts';

const ROUNDS = 15;
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
  const url = `${server.address}${target}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  const bytes = Number(response.headers.get('content-length'));
  const plain = await bare(response);
  const rates: { ours: number; bare: number }[] = [];
  // Side by side and in turn, so that what else the machine does meets both.
  await load.run(url, TOKEN, 1);
  await load.run(plain.address, TOKEN, 1);
  for (let round = 0; round < ROUNDS; round++) {
    const first = await load.run(plain.address, TOKEN, SECONDS);
    rates.push({ bare: first, ours: await load.run(url, TOKEN, SECONDS) });
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

import { sideBySide } from './compare-rates.ts';
import type { Row } from './result-table.ts';
import { AUTHORIZED, bare, ours } from './server-processes.ts';

/** Answers that were asked for before, against a bare handler that returns the same bytes. */
export async function hot(databaseUrl: string, targets: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, target] of Object.entries(targets))
    rows.push(await one(databaseUrl, what, target));
  return rows;
}

async function one(databaseUrl: string, what: string, target: string): Promise<Row> {
  const server = await ours(databaseUrl);
  const response = await fetch(`${server.address}${target}`, {
    headers: { ...AUTHORIZED, 'Accept-Encoding': 'identity' },
  });
  const bytes = Number(response.headers.get('content-length'));
  const plain = await bare(response);
  const asked = { targets: [target], headers: AUTHORIZED };
  const { first, second, ratio } = await sideBySide(
    { ...asked, address: server.address },
    { ...asked, address: plain.address },
  );
  await Promise.all([server.stop(), plain.stop()]);
  return {
    what: `${what} (${(bytes / 1_000).toFixed(1)} KB), asked before`,
    measured: `${first} req/s`,
    against: `${second} req/s, bare handler`,
    ratio,
    aim: '≥ 0.85',
  };
}

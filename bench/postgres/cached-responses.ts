import { sideBySide } from '../compare-rates.ts';
import type { Row } from '../result-table.ts';
import { AUTHORIZED, ours } from '../server-processes.ts';

/** Answers that were asked for before, of a server over PostgreSQL against one over SQLite. */
export async function hotOnBoth(
  postgresUrl: string,
  sqliteUrl: string,
  targets: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const postgres = await ours(postgresUrl);
  const sqlite = await ours(sqliteUrl);
  const rows: Row[] = [];
  for (const [what, target] of Object.entries(targets)) {
    if ((await body(postgres.address + target)) !== (await body(sqlite.address + target))) {
      throw new Error(`${what}: the two differ`);
    }
    const asked = { targets: [target], headers: AUTHORIZED };
    const { first, second, ratio } = await sideBySide(
      { ...asked, address: postgres.address },
      { ...asked, address: sqlite.address },
    );
    rows.push({
      what: `${what}, asked before, on PostgreSQL`,
      measured: `${first} req/s`,
      against: `${second} req/s, on SQLite`,
      ratio,
      aim: '≥ 0.95',
    });
  }
  await Promise.all([postgres.stop(), sqlite.stop()]);
  return rows;
}

async function body(url: string): Promise<string> {
  const response = await fetch(url, { headers: AUTHORIZED });
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return response.text();
}

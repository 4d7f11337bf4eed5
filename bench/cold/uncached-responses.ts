import { compareRequestRates } from '../compare-rates.ts';
import { formatRateRow, type ResultRow } from '../result-table.ts';
import {
  AUTHORIZATION_HEADERS,
  type ServerProcess,
  startQueryBaseline,
  startTenor,
} from '../server-processes.ts';
import {
  buildColdTarget,
  buildColdTargets,
  COLD_KINDS,
  type ColdKind,
  type Market,
} from './requests.ts';

/** A database with a market, and what its rows say of it. */
export interface ColdDatabase {
  readonly url: string;
  readonly market: Market;
  readonly engine: 'SQLite' | 'PostgreSQL';
}

const BODIES_COMPARED = 25;
const HEADERS = { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' };

/** Uncached responses, compared with a bare handler that sends the best statement. */
export async function benchmarkUncachedResponses(
  database: ColdDatabase,
  aims: Readonly<Record<ColdKind, string>>,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const kind of Object.keys(COLD_KINDS) as ColdKind[])
    rows.push(await compareWithBaseline(database, kind, aims[kind]));
  return rows;
}

async function compareWithBaseline(
  { url, market, engine }: ColdDatabase,
  kind: ColdKind,
  aim: string,
): Promise<ResultRow> {
  const server = await startTenor(url);
  const response = await fetch(server.address + buildColdTarget(market, kind, 0), {
    headers: HEADERS,
  });
  const baselineServer = await startQueryBaseline(url, kind, response);
  try {
    await assertSameBodies(market, kind, [server, baselineServer]);
    const createLoad = (address: string) => (round: number) => ({
      address,
      // The first targets are those whose bodies were compared.
      targets: buildColdTargets(market, kind, round + 1),
      headers: AUTHORIZATION_HEADERS,
    });
    const comparison = await compareRequestRates(
      createLoad(server.address),
      createLoad(baselineServer.address),
    );
    const label = `${COLD_KINDS[kind]}, uncached, on ${engine}, over HTTP`;
    return formatRateRow(label, comparison, 'best statement in a bare handler', aim);
  } finally {
    await Promise.all([server.stop(), baselineServer.stop()]);
  }
}

async function assertSameBodies(
  market: Market,
  kind: ColdKind,
  servers: readonly ServerProcess[],
): Promise<void> {
  for (let iteration = 0; iteration < BODIES_COMPARED; iteration++) {
    const target = buildColdTarget(market, kind, iteration);
    const [ours, baseline] = await Promise.all(
      servers.map(async ({ address }) =>
        (await fetch(address + target, { headers: HEADERS })).text(),
      ),
    );
    if (ours !== baseline || !ours?.startsWith('{"status":"ok","data":[{'))
      throw new Error(
        `${target}: the two differ: ${ours?.slice(0, 200)}\n${baseline?.slice(0, 200)}`,
      );
  }
}

import { compareRequestRates } from './compare-rates.ts';
import type { ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startBaselineServer, startTenor } from './server-processes.ts';

/** Cached responses that are compressed or not modified. */
export async function benchmarkNotModified(
  databaseUrl: string,
  name: string,
  target: string,
): Promise<ResultRow[]> {
  const server = await startTenor(databaseUrl);
  const { address } = server;
  const identity = { address, targets: [target], headers: AUTHORIZATION_HEADERS };
  const rows: ResultRow[] = [];
  for (const encoding of ['zstd', 'br', 'gzip']) {
    const headers = { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': encoding };
    await fetchTarget(address, target, headers);
    const { first, second, ratio } = await compareRequestRates({ ...identity, headers }, identity);
    rows.push({
      label: `${name} in ${encoding}, cached`,
      measured: `${first} req/s`,
      baseline: `${second} req/s, uncompressed`,
      ratio,
      aim: '≥ 0.8',
    });
  }
  rows.push(await measureNotModified(address, name, target));
  await server.stop();
  return rows;
}

/** 304 responses, compared with a bare handler that always sends 304. */
async function measureNotModified(
  address: string,
  name: string,
  target: string,
): Promise<ResultRow> {
  const full = await fetchTarget(address, target, {
    ...AUTHORIZATION_HEADERS,
    'Accept-Encoding': 'identity',
  });
  const headers = { ...AUTHORIZATION_HEADERS, 'If-None-Match': full.headers.get('etag') ?? '' };
  const response = await fetchTarget(address, target, {
    ...headers,
    'Accept-Encoding': 'identity',
  });
  if (response.status !== 304) throw new Error(`status ${response.status} instead of 304`);
  const baselineServer = await startBaselineServer(response);
  const requestLoad = { targets: [target], headers };
  const { first, second, ratio } = await compareRequestRates(
    { ...requestLoad, address },
    { ...requestLoad, address: baselineServer.address },
  );
  await baselineServer.stop();
  return {
    label: `${name}, not modified (304)`,
    measured: `${first} req/s`,
    baseline: `${second} req/s, bare handler`,
    ratio,
    aim: '≥ 0.9',
  };
}

function fetchTarget(address: string, target: string, headers: Record<string, string>) {
  return fetch(`${address}${target}`, { headers });
}

import { buildColdTargets, COLD_KINDS, type ColdKind } from '../cold/requests.ts';
import { compareRequestRates, type LoadSource } from '../compare-rates.ts';
import { fileMarket } from '../generate-quotes-file.ts';
import { sendMixedRequests } from '../memory-and-startup.ts';
import { measurePeakMegabytes } from '../process-usage.ts';
import {
  AUTHORIZATION_HEADERS,
  getSourceCommand,
  type ServerProcess,
  startTenor,
} from '../server-processes.ts';
import { getDatabaseUrl, getSampleUrl } from './databases.ts';
import type { GateComparison, GateSide, Measurements, Sides } from './sides.ts';

const MEMORY_SECONDS = 30;
const SERIES = '/3.0/alternate/atm-transactions-annual-volume';
const SNAPSHOT = '/2.0/bnb/quote';

/** Responses and memory of servers of both sides, over the databases that they have loaded. */
export function createServerMeasurements(sides: Sides): Measurements {
  const cold = (Object.keys(COLD_KINDS) as ColdKind[]).map((kind) => [
    `${COLD_KINDS[kind]}, uncached`,
    () =>
      compareRates(sides, getDatabaseUrl, async ({ address }) => (round) => ({
        address,
        targets: buildColdTargets(fileMarket, kind, round),
        headers: AUTHORIZATION_HEADERS,
      })),
  ]);
  return {
    ...Object.fromEntries(cold),
    'a series, cached': () => compareRates(sides, getSampleUrl, createCachedLoad(SERIES)),
    'the latest snapshot of 100 quotes, cached': () =>
      compareRates(sides, getDatabaseUrl, createCachedLoad(SNAPSHOT)),
    'the latest snapshot of 100 quotes, not modified (304)': () =>
      compareRates(sides, getDatabaseUrl, createNotModifiedLoad),
    [`resident memory in ${MEMORY_SECONDS} s of mixed load`]: () => compareMemory(sides),
  };
}

const createCachedLoad =
  (target: string) =>
  async ({ address }: ServerProcess): Promise<LoadSource> => ({
    address,
    targets: [target],
    headers: AUTHORIZATION_HEADERS,
  });

async function createNotModifiedLoad({ address }: ServerProcess): Promise<LoadSource> {
  const response = await fetch(address + SNAPSHOT, {
    headers: { ...AUTHORIZATION_HEADERS, 'Accept-Encoding': 'identity' },
  });
  const etag = response.headers.get('etag') ?? '';
  const headers = { ...AUTHORIZATION_HEADERS, 'If-None-Match': etag };
  return { address, targets: [SNAPSHOT], headers };
}

async function compareRates(
  { current, release }: Sides,
  getUrl: (side: GateSide) => string,
  createLoad: (server: ServerProcess) => Promise<LoadSource>,
): Promise<GateComparison> {
  const start = (side: GateSide) => startTenor(getUrl(side), {}, getSourceCommand(side.root));
  const servers = [await start(current), await start(release)] as const;
  try {
    const [ours, theirs] = servers;
    const { first, second, ratio } = await compareRequestRates(
      await createLoad(ours),
      await createLoad(theirs),
    );
    return { current: `${first} req/s`, release: `${second} req/s`, ratio };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function compareMemory({ current, release }: Sides): Promise<GateComparison> {
  const measure = async (side: GateSide) => {
    const server = await startTenor(getDatabaseUrl(side), {}, getSourceCommand(side.root));
    const send = () => sendMixedRequests(server.address, fileMarket, MEMORY_SECONDS);
    return measurePeakMegabytes(server.pid, send).finally(() => server.stop());
  };
  const [ours, theirs] = [await measure(current), await measure(release)];
  const format = (megabytes: number) => `${Math.round(megabytes)} MB`;
  return { current: format(ours), release: format(theirs), ratio: theirs / ours };
}

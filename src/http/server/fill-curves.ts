import { quotes } from '../../catalogue/datasets/quotes.ts';
import { MARKETS, type Market } from '../../catalogue/operations/curve.ts';
import { startPolling } from '../../shared/start-polling.ts';
import { system } from '../../shared/system.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import type { PageJob } from '../pages/page-reader.ts';
import type { DataContext } from '../pipeline/route.ts';

const LOOK_INTERVAL_MS = 5_000;
/** Other work waits for no more than these. */
const FITS_AT_ONCE = 20;
/** More than is done on the thread that responds. */
const COST = 4;

/**
 * Fits the curves of all days ahead of requests for their history, on the background thread, for at
 * most half of its time. Returns what stops it.
 */
export function startFillingCurves(
  getData: () => DataContext,
  isChosen: () => boolean,
): () => void {
  const stopping = new AbortController();
  let filled: { readonly data: DataContext; readonly revision: number } | undefined;
  const fill = async () => {
    const data = getData();
    const revision = await data.reader.revision();
    if (!isChosen() || (filled?.data === data && filled.revision === revision)) return;
    for (const market of MARKETS) await fillMarket(data, market, stopping.signal);
    filled = { data, revision };
  };
  // Where the store cannot be read, requests say so.
  const stopPolling = startPolling(LOOK_INTERVAL_MS, () => fill().catch(() => undefined));
  return () => {
    stopping.abort();
    stopPolling();
  };
}

async function fillMarket(data: DataContext, market: Market, signal: AbortSignal): Promise<void> {
  const { scheduleJob, catalogues } = data;
  const client = { principal: FILLER, signal, charge: () => undefined };
  let last: number | undefined;
  do {
    const startedMs = system.monotonicNow();
    const history = {
      every: 'day',
      limit: FITS_AT_ONCE,
      ...(last !== undefined && { to: last }),
    } as const;
    const curve = { market, history, dates: undefined, tenors: [], asOf: undefined };
    const job: PageJob = { datasets: [quotes.name], format: 'ndjson', target: '', curve };
    const page = await scheduleJob(client, COST, (jobs) =>
      jobs.readPage(catalogues.current, job, client),
    );
    const [next] = page.nextPosition ?? [];
    last = next === undefined ? undefined : Number(next);
    await wait(system.monotonicNow() - startedMs);
  } while (last !== undefined && !signal.aborted);
}

const FILLER: Principal = {
  id: 'curves',
  scopes: new Set([quotes.scope]),
  rate: null,
  expiresAtMs: Number.POSITIVE_INFINITY,
  lastUsedAtMs: 0,
};

const wait = (ms: number) => new Promise<void>((resolve) => system.setTimeout(resolve, ms));

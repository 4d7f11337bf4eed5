import { quotes } from '../../catalogue/datasets/quotes.ts';
import { curveOperation, MARKETS, type Market } from '../../operations/curve/curve-operation.ts';
import { startPolling } from '../../shared/start-polling.ts';
import { system } from '../../shared/system.ts';
import type { BackgroundRequest, ResponseParts } from '../background/background-work.ts';
import type { Database } from '../pipeline/database.ts';

const LOOK_INTERVAL_MS = 5_000;
/** Other work waits for at most these. */
const FITS_AT_ONCE = 20;
/** More than is done on the thread that responds. */
const COST = 4;

/**
 * Fits the curves of all days ahead of requests for their history, on the background thread, for at
 * most half of its time. Returns what stops it.
 */
export function startFillingCurves(
  getDatabase: () => Database,
  isChosen: () => boolean,
): () => void {
  const stopping = new AbortController();
  let filled: { readonly database: Database; readonly revision: number } | undefined;
  const fill = async () => {
    const database = getDatabase();
    const revision = await database.reader.revision();
    if (!isChosen() || (filled?.database === database && filled.revision === revision)) return;
    for (const market of MARKETS) await fillMarket(database, market, revision, stopping.signal);
    filled = { database, revision };
  };
  // If the store cannot be read, requests say so.
  const stopPolling = startPolling(LOOK_INTERVAL_MS, () => fill().catch(() => undefined));
  return () => {
    stopping.abort();
    stopPolling();
  };
}

async function fillMarket(
  { scheduler }: Database,
  market: Market,
  revision: number,
  signal: AbortSignal,
): Promise<void> {
  const owner = { principal: { id: 'curves' }, signal, charge: () => undefined };
  const request = {
    acceptedFormat: 'ndjson',
    includesTotal: false,
    scopes: [quotes.scope],
    view: { revision, newest: revision, namedBy: 'nothing' },
  } as const;
  const first = `${curveOperation.path}?market=${market}&from=${FIRST_DAY}&limit=${FITS_AT_ONCE}`;
  let target: string | undefined = first;
  while (target !== undefined && !signal.aborted) {
    const startedMs = system.monotonicNow();
    const page: BackgroundRequest = { ...request, target };
    const parts: ResponseParts | undefined = await scheduler.run(owner, COST, (background) =>
      background?.respond(page, signal),
    );
    target = /^<([^>]+)>; rel="next"/.exec(parts?.links ?? '')?.[1];
    await wait(system.monotonicNow() - startedMs);
  }
}

const FIRST_DAY = '0001-01-01';

const wait = (ms: number) => new Promise<void>((resolve) => system.setTimeout(resolve, ms));

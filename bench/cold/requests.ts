/** The kinds of cold requests. */
export type ColdKind = 'history' | 'history-by-isin' | 'snapshot';

export const COLD_KINDS: Readonly<Record<ColdKind, string>> = {
  history: '100-record history of one security',
  'history-by-isin': '100-record history of one security by ISIN',
  snapshot: 'snapshot of 50 to 150 records of one day',
};

/** The securities and days that requests ask for. */
export interface Market {
  readonly symbols: readonly string[];
  readonly isins: readonly string[];
  readonly days: readonly string[];
}

const PATH = '/2.0/bnb/quote';
const HISTORY_DAYS = 100;
/** More than are sent in a second, and more than a server caches. */
const TARGETS_PER_ROUND = 20_000;

/** The request targets of a round; those of all rounds differ, so that no response is cached. */
export function buildColdTargets(market: Market, kind: ColdKind, round: number): string[] {
  const from = round * TARGETS_PER_ROUND;
  return Array.from({ length: TARGETS_PER_ROUND }, (_, index) =>
    buildColdTarget(market, kind, from + index),
  );
}

/** Histories and snapshots in turn. */
export function buildMixedTargets(market: Market, round: number): string[] {
  return buildColdTargets(market, 'history', round).map((target, index) =>
    index % 2 === 0
      ? target
      : buildColdTarget(market, 'snapshot', round * TARGETS_PER_ROUND + index),
  );
}

export function buildColdTarget(market: Market, kind: ColdKind, iteration: number): string {
  if (kind === 'snapshot') {
    const limit = 50 + ((iteration * 37) % 101);
    return `${PATH}?date=${pickDay(market, iteration)}&limit=${limit}`;
  }
  const names = kind === 'history' ? market.symbols : market.isins;
  const { name, from, to } = pickHistory(names, market.days, iteration);
  return `${PATH}?symbol=${name}&from=${from}&to=${to}`;
}

/** Steps without a common factor reach every security and day before they repeat. */
export function pickHistory(names: readonly string[], days: readonly string[], iteration: number) {
  const start =
    (iteration * 1_009 + Math.floor(iteration / names.length)) % (days.length - HISTORY_DAYS);
  return {
    name: names[(iteration * 7_919) % names.length] ?? '',
    from: days[start] ?? '',
    to: days[start + HISTORY_DAYS - 1] ?? '',
  };
}

export function pickDay({ days }: Market, iteration: number): string {
  return days[(iteration * 1_009) % days.length] ?? '';
}

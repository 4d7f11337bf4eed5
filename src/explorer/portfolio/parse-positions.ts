import type { CashflowsRecord, PortfolioRecord } from '../../client/generated.ts';
import type { ApiRequest } from '../api/types.ts';

/** Positions as the service takes them, and the lines that are none. */
interface ParsedPositions {
  readonly positions: readonly string[];
  /** Such as `line 3: PIB five`. */
  readonly rejected: readonly string[];
}

/**
 * Positions of pasted text, a line each: a symbol or ISIN, then a face value, as spreadsheets, CSV and the service
 * itself write them. A first line without digits is a header.
 */
export function parsePositions(text: string): ParsedPositions {
  const lines = text.split(/\r?\n|,(?=[^,\d\s][^,]*:)/).map((line) => line.trim());
  const parsed = lines.map((line, index) => {
    if (line === '' || (index === 0 && !/\d/.test(line))) return {};
    const [, name = '', face = ''] = (line.length <= MAX_LINE_LENGTH && LINE.exec(line)) || [];
    const digits = face.replaceAll(/[\s,'’_]/g, '').replace(/^\((.*)\)$|^−/, '-$1');
    return /^-?\d{1,15}(\.\d+)?$/.test(digits)
      ? { position: `${name}:${digits}` }
      : { problem: `line ${index + 1}: ${line.slice(0, 60)}` };
  });
  return {
    positions: parsed.flatMap(({ position }) => position ?? []),
    rejected: parsed.flatMap(({ problem }) => problem ?? []),
  };
}

const MAX_LINE_LENGTH = 1_000;
const LINE = /^"?([^\s,;:"]+)"?[\s,;:]+"?(\(?[-−]?\d[\d\s,.'’_]*\)?)"?[\s,;]*$/;

/** The positions of the URL as lines to edit. */
export const formatPositions = (positions: string): string =>
  positions
    .split(',')
    .map((position) => position.replace(/:(?=[^:]*$)/, '\t'))
    .join('\n');

/** The requests of the cash flows of positions, by the quotes that they are valued at: the newest of each, or by date. */
export function listCashFlowRequests(
  positions: readonly PortfolioRecord[],
  isDated: boolean,
): ApiRequest[] {
  const quoted = positions.filter(({ date, symbol }) => date !== null && symbol !== null);
  const groups = Map.groupBy(quoted, ({ date }) => (isDated && date) || undefined);
  return [...groups].flatMap(([date, group]) => {
    const symbols = [...new Set(group.map(({ symbol }) => symbol ?? ''))];
    return Array.from({ length: Math.ceil(symbols.length / MAX_SYMBOLS) }, (_, index) => {
      const symbol = symbols.slice(index * MAX_SYMBOLS, (index + 1) * MAX_SYMBOLS).join();
      return { path: '/2.0/bnb/cashflows', parameters: { symbol, date } };
    });
  });
}

/** As many symbols as the service takes at once. */
const MAX_SYMBOLS = 50;

/**
 * What positions receive in each year after the day of their valuation; shorts pay. A coupon that is not known
 * counts as none, and is counted.
 */
export function sumCashFlows(
  flows: readonly CashflowsRecord[],
  faces: ReadonlyMap<string, number>,
  valuedOn: string,
) {
  const years = new Map<string, { coupon: number; principal: number }>();
  let unknownCount = 0;
  for (const { date, symbol, coupon, principal } of flows) {
    if (date <= valuedOn) continue;
    const year = date.slice(0, 4);
    const units = (faces.get(symbol) ?? 0) / 100;
    const sum = years.get(year) ?? { coupon: 0, principal: 0 };
    if (coupon === null) unknownCount++;
    years.set(year, {
      coupon: sum.coupon + (coupon ?? 0) * units,
      principal: sum.principal + principal * units,
    });
  }
  const rows = [...years].sort(([a], [b]) => (a < b ? -1 : 1));
  return { rows: rows.map(([year, sums]) => ({ year, ...sums })), unknownCount };
}

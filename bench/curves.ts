import { type CurveQuote, fitMarketCurve, getCurvePoint } from '../src/bonds/curve/index.ts';
import { billPrice, cleanPrice } from '../src/bonds/index.ts';
import { DEFAULT_TENORS } from '../src/operations/curve/curve-operation.ts';
import { formatDay, parseDay } from '../src/shared/calendar.ts';
import type { ResultRow } from './result-table.ts';

const SECURITIES = 100;
const ROUNDS = 200;
/** Passes during which the compiler takes half of the time: over the same days, with no curve kept. */
const WARM_UP_PASSES = 2;
const LIMIT_MS = 5;

const settlement = parseDay('2026-07-01');

/**
 * Processor time for the curves of a day, each of other prices: yields, discount function,
 * all points.
 */
export async function benchmarkCurves(): Promise<ResultRow[]> {
  return [
    measureDays(`the curves of ${SECURITIES} securities on one day, cold`, computeCurves, LIMIT_MS),
  ];
}

function measureDays(
  label: string,
  compute: (quotes: readonly CurveQuote[]) => unknown,
  limitMs: number,
): ResultRow {
  const days = Array.from({ length: ROUNDS }, (_, round) => generateQuotes(round));
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) days.forEach(compute);
  const before = process.cpuUsage();
  days.forEach(compute);
  const { user, system } = process.cpuUsage(before);
  const measured = (user + system) / 1_000 / ROUNDS;
  return {
    label,
    measured: `${measured.toFixed(1)} ms of processor time`,
    baseline: `${limitMs} ms, the limit`,
    ratio: measured / limitMs,
    aim: '≤ 1',
  };
}

function computeCurves(quotes: readonly CurveQuote[]): void {
  const curve = fitMarketCurve(quotes, findTerms, settlement);
  JSON.stringify(DEFAULT_TENORS.map((tenor) => getCurvePoint(curve, tenor)));
  if (curve.method !== 'svensson') throw new Error(`a curve is ${curve.method}`);
}

/** A third of them bills, the rest bonds of up to twenty years. */
function generateQuotes(round: number): CurveQuote[] {
  return Array.from({ length: SECURITIES }, (_, index) => {
    const isBill = index % 3 === 0;
    const days = isBill ? 10 + 3 * index : 200 + 70 * index;
    const maturity = settlement + days;
    const ytm = 11 + Math.sqrt(days / 2_000) + 0.03 * Math.sin(index * (round + 2.7));
    const lastPrice = isBill
      ? billPrice({ maturity }, settlement, ytm)
      : cleanPrice({ maturity, couponRate: 12, frequency: 2 }, settlement, ytm);
    return {
      symbol: `${isBill ? 'BILL' : 'BOND'}${index}`,
      type: isBill ? 'tbill' : 'bond',
      maturityDate: formatDay(maturity),
      maturityYears: days / 365,
      ytm,
      lastPrice,
    };
  });
}

const BOND_TERMS = { couponRate: 12, couponFrequency: 2 } as const;
const findTerms = (symbol: string) => (symbol.startsWith('BOND') ? BOND_TERMS : undefined);

import type {
  branchlessBankingAgents,
  mobileMoneyAccountsMale,
  mobileMoneyMarketShareValue,
} from '../../catalogue/datasets/series/index.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import { monthly } from '../../catalogue/model/period.ts';
import { type DriftingShare, generateDriftingShares } from '../drifting-shares.ts';
import { createRandom } from '../random.ts';
import { listPeriods } from './generate-series.ts';

/** The number of accounts only grows. Some are in regions without a key. */
export function generateMaleAccounts(): DatasetRecord<typeof mobileMoneyAccountsMale>[] {
  const model = { start: 58_300_000, growth: 0.0098, volatility: 0.003 };
  return generateByProvince('male accounts', model, {
    punjab: { from: 60.1, to: 59.2, volatility: 0.004 },
    sindh: { from: 20.4, to: 20.7, volatility: 0.006 },
    kpk: { from: 13.2, to: 13.6, volatility: 0.006 },
    balochistan: { from: 3.1, to: 3.4, volatility: 0.01 },
    elsewhere: { from: 3.2, to: 3.1, volatility: 0.01 },
  }).map(({ period, total, provinces }) => ({ period, national: total, provinces }));
}

/** The number of agents falls in some months. */
export function generateAgents(): DatasetRecord<typeof branchlessBankingAgents>[] {
  const model = { start: 618_400, growth: 0.0036, volatility: 0.006 };
  return generateByProvince('agents', model, {
    punjab: { from: 59.4, to: 58.9, volatility: 0.005 },
    sindh: { from: 22.8, to: 22.6, volatility: 0.008 },
    kpk: { from: 13.3, to: 13.6, volatility: 0.008 },
    balochistan: { from: 3.1, to: 3.4, volatility: 0.012 },
    elsewhere: { from: 1.4, to: 1.5, volatility: 0.012 },
  });
}

/** Shares of fictitious operators with four decimals, which add up to one. */
export function generateMarketShares(): DatasetRecord<typeof mobileMoneyMarketShareValue>[] {
  const totals = SAMPLE_MONTHS.map(() => 10_000);
  const shares = splitTotals('market shares', totals, {
    lapwingcash: { from: 46, to: 39, volatility: 0.03 },
    tamarindpay: { from: 36, to: 34, volatility: 0.03 },
    quailwallet: { from: 8, to: 15, volatility: 0.06 },
    sandgrousepay: { from: 4, to: 6, volatility: 0.08 },
    others: { from: 6, to: 6, volatility: 0.06 },
  });
  return SAMPLE_MONTHS.map(({ label }, index) => ({
    period: label,
    operators: (shares[index] ?? []).map(({ key, value }) => ({ key, value: value / 10_000 })),
  }));
}

const SAMPLE_MONTHS = listPeriods(monthly, 'Jan 2023', 'Jun 2026');

/** Counts at the end of each month, with the four provinces that have a key. */
function generateByProvince(
  seed: string,
  { start, growth, volatility }: { start: number; growth: number; volatility: number },
  shares: Readonly<Record<string, DriftingShare>>,
) {
  const random = createRandom(seed);
  let size = start;
  const totals = SAMPLE_MONTHS.map(() => {
    size *= 1 + growth + volatility * random.normal();
    return Math.round(size);
  });
  const provinces = splitTotals(`provinces of ${seed}`, totals, shares);
  return SAMPLE_MONTHS.map(({ label }, index) => ({
    period: label,
    total: totals[index] ?? 0,
    provinces: provinces[index]?.slice(0, 4) ?? [],
  }));
}

function splitTotals(
  seed: string,
  totals: readonly number[],
  shares: Readonly<Record<string, DriftingShare>>,
): KeyedValue[][] {
  const keys = Object.keys(shares);
  return generateDriftingShares(Object.values(shares), totals, createRandom(seed)).map((values) =>
    keys.map((key, index) => ({ key, value: values[index] ?? 0 })),
  );
}

import type {
  branchlessBankingAgents,
  mobileMoneyAccountsMale,
  mobileMoneyMarketShareValue,
} from '../../../src/catalogue/datasets/series/index.ts';
import type { DatasetRecord } from '../../../src/catalogue/model/dataset.ts';
import type { KeyedValue } from '../../../src/catalogue/model/field.ts';
import { monthly } from '../../../src/catalogue/model/period.ts';
import { type DriftingShare, generateDriftingShares } from '../drifting-shares.ts';
import { createRandom } from '../random.ts';
import { listPeriods } from './generate-series.ts';

/** The number of accounts only grows. Some accounts are in regions without a key. */
export function generateMaleAccounts(): DatasetRecord<typeof mobileMoneyAccountsMale>[] {
  const model = { start: 58_300_000, growth: 0.0098, volatility: 0.003 };
  return generateByProvince('male accounts', model, {
    punjab: [60.1, 59.2, 0.004],
    sindh: [20.4, 20.7, 0.006],
    kpk: [13.2, 13.6, 0.006],
    balochistan: [3.1, 3.4, 0.01],
    elsewhere: [3.2, 3.1, 0.01],
  }).map(({ period, total, provinces }) => ({ period, national: total, provinces }));
}

/** The number of agents falls in some months. */
export function generateAgents(): DatasetRecord<typeof branchlessBankingAgents>[] {
  const model = { start: 618_400, growth: 0.0036, volatility: 0.006 };
  return generateByProvince('agents', model, {
    punjab: [59.4, 58.9, 0.005],
    sindh: [22.8, 22.6, 0.008],
    kpk: [13.3, 13.6, 0.008],
    balochistan: [3.1, 3.4, 0.012],
    elsewhere: [1.4, 1.5, 0.012],
  });
}

/** Shares of fictitious operators with four decimals, which sum to one. */
export function generateMarketShares(): DatasetRecord<typeof mobileMoneyMarketShareValue>[] {
  const totals = SAMPLE_MONTHS.map(() => 10_000);
  const shares = splitTotals('market shares', totals, {
    lapwingcash: [46, 39, 0.03],
    tamarindpay: [36, 34, 0.03],
    quailwallet: [8, 15, 0.06],
    sandgrousepay: [4, 6, 0.08],
    others: [6, 6, 0.06],
  });
  return SAMPLE_MONTHS.map(({ label }, index) => ({
    period: label,
    operators: (shares[index] ?? []).map(({ key, value }) => ({ key, value: value / 10_000 })),
  }));
}

const SAMPLE_MONTHS = listPeriods(monthly);

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

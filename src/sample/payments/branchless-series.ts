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
import { listPeriods } from './sample-periods.ts';

/** Accounts only grow; what the provinces leave over is in regions without a key. */
export function generateMaleAccounts(): DatasetRecord<typeof mobileMoneyAccountsMale>[] {
  const national = generateStock('male accounts', {
    start: 58_300_000,
    growth: 0.0098,
    unrest: 0.003,
  });
  const provinces = splitTotals('provinces of male accounts', national, {
    punjab: { from: 60.1, to: 59.2, volatility: 0.004 },
    sindh: { from: 20.4, to: 20.7, volatility: 0.006 },
    kpk: { from: 13.2, to: 13.6, volatility: 0.006 },
    balochistan: { from: 3.1, to: 3.4, volatility: 0.01 },
    elsewhere: { from: 3.2, to: 3.1, volatility: 0.01 },
  });
  return SAMPLE_MONTHS.map(({ label }, row) => ({
    period: label,
    national: national[row] ?? 0,
    provinces: provinces[row]?.slice(0, 4) ?? [],
  }));
}

/** Agents come and go: some months lose more than they win. */
export function generateAgents(): DatasetRecord<typeof branchlessBankingAgents>[] {
  const total = generateStock('agents', { start: 618_400, growth: 0.0036, unrest: 0.006 });
  const provinces = splitTotals('provinces of agents', total, {
    punjab: { from: 59.4, to: 58.9, volatility: 0.005 },
    sindh: { from: 22.8, to: 22.6, volatility: 0.008 },
    kpk: { from: 13.3, to: 13.6, volatility: 0.008 },
    balochistan: { from: 3.1, to: 3.4, volatility: 0.012 },
    elsewhere: { from: 1.4, to: 1.5, volatility: 0.012 },
  });
  return SAMPLE_MONTHS.map(({ label }, row) => ({
    period: label,
    total: total[row] ?? 0,
    provinces: provinces[row]?.slice(0, 4) ?? [],
  }));
}

/** Shares of operators that do not exist, in ten-thousandths that add up to one. */
export function generateMarketShares(): DatasetRecord<typeof mobileMoneyMarketShareValue>[] {
  const wholes = SAMPLE_MONTHS.map(() => 10_000);
  const shares = splitTotals('market shares', wholes, {
    lapwingcash: { from: 46, to: 39, volatility: 0.03 },
    tamarindpay: { from: 36, to: 34, volatility: 0.03 },
    quailwallet: { from: 8, to: 15, volatility: 0.06 },
    sandgrousepay: { from: 4, to: 6, volatility: 0.08 },
    others: { from: 6, to: 6, volatility: 0.06 },
  });
  return SAMPLE_MONTHS.map(({ label }, row) => ({
    period: label,
    operators: (shares[row] ?? []).map(({ key, value }) => ({ key, value: value / 10_000 })),
  }));
}

const SAMPLE_MONTHS = listPeriods(monthly, 'Jan 2023', 'Jun 2026');

/** What there is of something at the end of each month, counted whole. */
function generateStock(
  seed: string,
  { start, growth, unrest }: { start: number; growth: number; unrest: number },
): number[] {
  const random = createRandom(seed);
  let size = start;
  return SAMPLE_MONTHS.map(() => {
    size *= 1 + growth + unrest * random.normal();
    return Math.round(size);
  });
}

/** Each whole, split into whole parts. */
function splitTotals(
  seed: string,
  wholes: readonly number[],
  parts: Readonly<Record<string, DriftingShare>>,
): KeyedValue[][] {
  const keys = Object.keys(parts);
  return generateDriftingShares(Object.values(parts), wholes, createRandom(seed)).map((values) =>
    keys.map((key, index) => ({ key, value: values[index] ?? 0 })),
  );
}

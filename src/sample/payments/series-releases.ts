import * as series from '../../catalogue/datasets/series/index.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import { roundTo } from '../rounding.ts';
import { generateAgents, generateMaleAccounts, generateMarketShares } from './branchless-series.ts';
import * as transactions from './transaction-series.ts';

/** The publications of each series: up to spring 2026, then to June, then corrections. */
export function generateSeriesReleases() {
  const atmValue = transactions.generateAtmQuarterlyValue();
  const lastAtmQuarter = atmValue.slice(-1);
  return [
    splitReleases(series.atmTransactionsAnnualVolume, transactions.generateAtmAnnualVolume()),
    splitReleases(series.onlineBankingAnnualVolume, transactions.generateOnlineAnnualVolume()),
    splitReleases(series.ivrBankingAnnualValue, transactions.generateIvrAnnualValue()),
    splitReleases(series.paymentsMarketPlayers, generateLicensedPlayers()),
    {
      ...splitReleases(series.atmTransactionsQuarterlyValue, atmValue, 1),
      update: lastAtmQuarter.map(toProvisional),
      correction: lastAtmQuarter,
    },
    splitReleases(
      series.posTransactionsQuarterlyVolume,
      transactions.generatePosQuarterlyVolume(),
      1,
    ),
    splitReleases(
      series.settlementTransactionsValue,
      transactions.generateSettlementMonthlyValue(),
      2,
    ),
    splitReleases(series.mobileMoneyAccountsMale, generateMaleAccounts(), 2),
    splitReleases(series.branchlessBankingAgents, generateAgents(), 2),
    splitReleases(series.mobileMoneyMarketShareValue, generateMarketShares(), 2),
  ];
}

function splitReleases(dataset: Dataset, records: readonly AnyRecord[], updateCount = 0) {
  const split = records.length - updateCount;
  const correction: readonly AnyRecord[] = [];
  return { dataset, history: records.slice(0, split), update: records.slice(split), correction };
}

type AtmValue = DatasetRecord<typeof series.atmTransactionsQuarterlyValue>;

/** The first figures of a quarter: one bank's withdrawals are missing, its deposits estimated. */
function toProvisional(record: AtmValue): AtmValue {
  const cash_withdrawl = roundTo(record.cash_withdrawl * 0.987, 1);
  const cash_deposits = roundTo(record.cash_deposits * 1.03, 1);
  const missing = record.cash_withdrawl - cash_withdrawl + record.cash_deposits - cash_deposits;
  return { ...record, cash_withdrawl, cash_deposits, total: roundTo(record.total - missing, 1) };
}

function generateLicensedPlayers(): DatasetRecord<typeof series.paymentsMarketPlayers>[] {
  return LICENCES.map(([banks, mfbs, digitalbanks, pso_psp, emis], index) => {
    const total = banks + mfbs + digitalbanks + pso_psp + emis;
    return { year: String(2016 + index), total, banks, mfbs, digitalbanks, pso_psp, emis };
  });
}

/** Licences by year from 2016 on: banks, mfbs, digitalbanks, pso_psp, emis. */
const LICENCES: readonly (readonly [number, number, number, number, number])[] = [
  [35, 10, 0, 2, 0],
  [35, 11, 0, 3, 0],
  [34, 11, 0, 4, 0],
  [34, 11, 0, 4, 1],
  [34, 11, 0, 5, 2],
  [33, 12, 0, 6, 3],
  [33, 12, 0, 7, 4],
  [32, 12, 1, 8, 5],
  [32, 12, 2, 9, 6],
  [31, 12, 4, 9, 6],
];

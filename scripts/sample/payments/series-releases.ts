import * as series from '../../../src/catalogue/datasets/series/index.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../../src/catalogue/model/dataset.ts';
import { roundTo } from '../rounding.ts';
import { generateAgents, generateMaleAccounts, generateMarketShares } from './branchless-series.ts';
import { type FigureModels, generateSeries, SAMPLE_PERIODS } from './generate-series.ts';

/** The publications of each series: up to spring 2026, then to June, then corrections. */
export function generateSeriesReleases() {
  return SERIES.map(([dataset, generate]) => {
    const records = generate();
    const split = records.length - SAMPLE_PERIODS[dataset.period?.kind.unit ?? 'year'].updateCount;
    const [history, update] = [records.slice(0, split), records.slice(split)];
    if (dataset !== series.atmTransactionsQuarterlyValue)
      return { dataset, history, update, correction: [] };
    const provisional = update.map((record) => toProvisional(record as AtmValue));
    return { dataset, history, update: provisional, correction: update };
  });
}

type AtmValue = DatasetRecord<typeof series.atmTransactionsQuarterlyValue>;

/** The first release of a quarter: one bank's withdrawals are missing, its deposits estimated. */
function toProvisional(record: AtmValue): AtmValue {
  const cash_withdrawl = roundTo(record.cash_withdrawl * 0.987, 1);
  const cash_deposits = roundTo(record.cash_deposits * 1.03, 1);
  const missing = record.cash_withdrawl - cash_withdrawl + record.cash_deposits - cash_deposits;
  return { ...record, cash_withdrawl, cash_deposits, total: roundTo(record.total - missing, 1) };
}

/** Demand for cash peaks around the turn of the year. */
const CASH_SEASONS = [1.02, 0.99, 0.965, 1.025];
/** Banks close their books in June and December. */
const SETTLEMENT_SEASONS = [0.99, 0.93, 1.01, 0.97, 0.99, 1.12, 0.97, 0.98, 1, 1, 0.97, 1.09];
const SHOPPING = { seasons: [0.99, 1, 0.98, 1.03], eid: 0.03, lockdown: 0.66 };

type SampleSeries = readonly [dataset: Dataset, generate: () => readonly AnyRecord[]];

const SERIES: readonly SampleSeries[] = [
  defineFigures(series.atmTransactionsAnnualVolume, {
    atm_cash: [352, 0.113, 0.015, { lockdown: 0.9 }],
    atm_deposit: [0.9, 0.36, 0.05],
    deposit_instrument: [0.2, 0.09, 0.06],
    funds_transfer: [12.4, 0.09, 0.03],
    utility_bills: [5.9, -0.045, 0.03],
    funds_transfers: [11.8, 0.15, 0.03],
  }),
  defineFigures(series.onlineBankingAnnualVolume, {
    cash_wtl: [47.5, 0.03, 0.015, { lockdown: 0.9 }],
    cash_deposit: [61.2, 0.035, 0.015, { lockdown: 0.88 }],
    funds_transfer: [38.4, 0.042, 0.02, { lockdown: 0.95 }],
  }),
  defineFigures(series.ivrBankingAnnualValue, {
    funds_transfers: [5.4, 0.012, 0.05],
    funds_transfer: [2.9, 0.05, 0.06],
    mobile_payment: [3.6, 0.015, 0.05],
    utility_bills: [1.8, -0.1, 0.06],
  }),
  [series.paymentsMarketPlayers, generateLicensedPlayers],
  defineFigures(series.atmTransactionsQuarterlyValue, {
    cash_withdrawl: [1268, 0.037, 0.008, { seasons: CASH_SEASONS, eid: 0.025, lockdown: 0.84 }],
    intra_bank: [96, 0.034, 0.02, { lockdown: 0.9 }],
    inter_bank: [118, 0.04, 0.02, { lockdown: 0.95 }],
    utility_bills: [7.4, 0.002, 0.03, { seasons: [0.93, 1, 1.1, 0.97] }],
    cash_deposits: [14.5, 0.089, 0.03, { seasons: CASH_SEASONS, lockdown: 0.8 }],
  }),
  defineFigures(series.posTransactionsQuarterlyVolume, {
    atm: [0.6, 0.022, 0.04, { lockdown: 0.7 }],
    debit_cards: [10.8, 0.068, 0.015, SHOPPING],
    credit_cards: [6.2, 0.04, 0.015, SHOPPING],
    prepaid_cards: [0.2, 0.055, 0.05, SHOPPING],
    socialwelfare_card: [0.4, -0.015, 0.1],
  }),
  defineFigures(series.settlementTransactionsValue, {
    govt_securities: [36_400, 0.0125, 0.035, { seasons: SETTLEMENT_SEASONS, eid: -0.06 }],
    ibft: [12_900, 0.0095, 0.025, { seasons: SETTLEMENT_SEASONS, eid: -0.03 }],
    third_party_transfer: [5_850, 0.0115, 0.02, { seasons: SETTLEMENT_SEASONS, eid: 0.02 }],
    ancillary_clearing: [1_960, 0.007, 0.025, { seasons: SETTLEMENT_SEASONS }],
  }),
  [series.mobileMoneyAccountsMale, generateMaleAccounts],
  [series.branchlessBankingAgents, generateAgents],
  [series.mobileMoneyMarketShareValue, generateMarketShares],
];

function defineFigures<D extends Dataset>(dataset: D, models: FigureModels<D>): SampleSeries {
  return [dataset, () => generateSeries(dataset, models)];
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

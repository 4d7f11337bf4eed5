import {
  atmTransactionsAnnualVolume,
  atmTransactionsQuarterlyValue,
  ivrBankingAnnualValue,
  onlineBankingAnnualVolume,
  posTransactionsQuarterlyVolume,
  settlementTransactionsValue,
} from '../../catalogue/series/index.ts';
import { type Figure, sampleSeries } from './series.ts';

const YEARS = ['2016', '2025'] as const;
const QUARTERS = ['Q3 2018', 'Q2 2026'] as const;
const MONTHS = ['Jan 2023', 'Jun 2026'] as const;

/** Cash is wanted most around the turn of the year. */
const CASH_QUARTERS = [1.02, 0.99, 0.965, 1.025];

/** Banks close their books in June and December. */
const SETTLEMENT_MONTHS = [0.99, 0.93, 1.01, 0.97, 0.99, 1.12, 0.97, 0.98, 1, 1, 0.97, 1.09];

export const atmAnnualVolume = () =>
  sampleSeries(atmTransactionsAnnualVolume, YEARS, {
    atm_cash: figure(352, 0.113, 0.015, { shut: 0.9 }),
    atm_deposit: figure(0.9, 0.36, 0.05),
    deposit_instrument: figure(0.2, 0.09, 0.06),
    funds_transfer: figure(12.4, 0.09, 0.03),
    utility_bills: figure(5.9, -0.045, 0.03),
    funds_transfers: figure(11.8, 0.15, 0.03),
  });

export const atmQuarterlyValue = () =>
  sampleSeries(atmTransactionsQuarterlyValue, QUARTERS, {
    cash_withdrawl: figure(1268, 0.037, 0.008, { seasons: CASH_QUARTERS, eid: 0.025, shut: 0.84 }),
    intra_bank: figure(96, 0.034, 0.02, { shut: 0.9 }),
    inter_bank: figure(118, 0.04, 0.02, { shut: 0.95 }),
    utility_bills: figure(7.4, 0.002, 0.03, { seasons: [0.93, 1, 1.1, 0.97] }),
    cash_deposits: figure(14.5, 0.089, 0.03, { seasons: CASH_QUARTERS, shut: 0.8 }),
  });

export const ivrAnnualValue = () =>
  sampleSeries(ivrBankingAnnualValue, YEARS, {
    funds_transfers: figure(5.4, 0.012, 0.05),
    funds_transfer: figure(2.9, 0.05, 0.06),
    mobile_payment: figure(3.6, 0.015, 0.05),
    utility_bills: figure(1.8, -0.1, 0.06),
  });

export const onlineAnnualVolume = () =>
  sampleSeries(onlineBankingAnnualVolume, YEARS, {
    cash_wtl: figure(47.5, 0.03, 0.015, { shut: 0.9 }),
    cash_deposit: figure(61.2, 0.035, 0.015, { shut: 0.88 }),
    funds_transfer: figure(38.4, 0.042, 0.02, { shut: 0.95 }),
  });

export const posQuarterlyVolume = () =>
  sampleSeries(posTransactionsQuarterlyVolume, QUARTERS, {
    atm: figure(0.6, 0.022, 0.04, { shut: 0.7 }),
    debit_cards: figure(10.8, 0.068, 0.015, shopping),
    credit_cards: figure(6.2, 0.04, 0.015, shopping),
    prepaid_cards: figure(0.2, 0.055, 0.05, shopping),
    socialwelfare_card: figure(0.4, -0.015, 0.1),
  });

export const settlementMonthlyValue = () =>
  sampleSeries(settlementTransactionsValue, MONTHS, {
    govt_securities: figure(36_400, 0.0125, 0.035, { seasons: SETTLEMENT_MONTHS, eid: -0.06 }),
    ibft: figure(12_900, 0.0095, 0.025, { seasons: SETTLEMENT_MONTHS, eid: -0.03 }),
    third_party_transfer: figure(5_850, 0.0115, 0.02, { seasons: SETTLEMENT_MONTHS, eid: 0.02 }),
    ancillary_clearing: figure(1_960, 0.007, 0.025, { seasons: SETTLEMENT_MONTHS }),
  });

const shopping = { seasons: [0.99, 1, 0.98, 1.03], eid: 0.03, shut: 0.66 };

function figure(
  start: number,
  growth: number,
  unrest: number,
  rest: Omit<Figure, 'start' | 'growth' | 'unrest'> = {},
): Figure {
  return { start, growth, unrest, ...rest };
}

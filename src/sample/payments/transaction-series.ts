import {
  atmTransactionsAnnualVolume,
  atmTransactionsQuarterlyValue,
  ivrBankingAnnualValue,
  onlineBankingAnnualVolume,
  posTransactionsQuarterlyVolume,
  settlementTransactionsValue,
} from '../../catalogue/datasets/series/index.ts';
import { type FigureModel, generateSeries } from './generate-series.ts';

const YEAR_RANGE = ['2016', '2025'] as const;
const QUARTER_RANGE = ['Q3 2018', 'Q2 2026'] as const;
const MONTH_RANGE = ['Jan 2023', 'Jun 2026'] as const;

/** Demand for cash peaks around the turn of the year. */
const CASH_SEASONALITY = [1.02, 0.99, 0.965, 1.025];

/** Banks close their books in June and December. */
const SETTLEMENT_SEASONALITY = [0.99, 0.93, 1.01, 0.97, 0.99, 1.12, 0.97, 0.98, 1, 1, 0.97, 1.09];

export const generateAtmAnnualVolume = () =>
  generateSeries(atmTransactionsAnnualVolume, YEAR_RANGE, {
    atm_cash: defineFigureModel(352, 0.113, 0.015, { lockdownFactor: 0.9 }),
    atm_deposit: defineFigureModel(0.9, 0.36, 0.05),
    deposit_instrument: defineFigureModel(0.2, 0.09, 0.06),
    funds_transfer: defineFigureModel(12.4, 0.09, 0.03),
    utility_bills: defineFigureModel(5.9, -0.045, 0.03),
    funds_transfers: defineFigureModel(11.8, 0.15, 0.03),
  });

export const generateAtmQuarterlyValue = () =>
  generateSeries(atmTransactionsQuarterlyValue, QUARTER_RANGE, {
    cash_withdrawl: defineFigureModel(1268, 0.037, 0.008, {
      seasonalFactors: CASH_SEASONALITY,
      eidEffect: 0.025,
      lockdownFactor: 0.84,
    }),
    intra_bank: defineFigureModel(96, 0.034, 0.02, { lockdownFactor: 0.9 }),
    inter_bank: defineFigureModel(118, 0.04, 0.02, { lockdownFactor: 0.95 }),
    utility_bills: defineFigureModel(7.4, 0.002, 0.03, { seasonalFactors: [0.93, 1, 1.1, 0.97] }),
    cash_deposits: defineFigureModel(14.5, 0.089, 0.03, {
      seasonalFactors: CASH_SEASONALITY,
      lockdownFactor: 0.8,
    }),
  });

export const generateIvrAnnualValue = () =>
  generateSeries(ivrBankingAnnualValue, YEAR_RANGE, {
    funds_transfers: defineFigureModel(5.4, 0.012, 0.05),
    funds_transfer: defineFigureModel(2.9, 0.05, 0.06),
    mobile_payment: defineFigureModel(3.6, 0.015, 0.05),
    utility_bills: defineFigureModel(1.8, -0.1, 0.06),
  });

export const generateOnlineAnnualVolume = () =>
  generateSeries(onlineBankingAnnualVolume, YEAR_RANGE, {
    cash_wtl: defineFigureModel(47.5, 0.03, 0.015, { lockdownFactor: 0.9 }),
    cash_deposit: defineFigureModel(61.2, 0.035, 0.015, { lockdownFactor: 0.88 }),
    funds_transfer: defineFigureModel(38.4, 0.042, 0.02, { lockdownFactor: 0.95 }),
  });

export const generatePosQuarterlyVolume = () =>
  generateSeries(posTransactionsQuarterlyVolume, QUARTER_RANGE, {
    atm: defineFigureModel(0.6, 0.022, 0.04, { lockdownFactor: 0.7 }),
    debit_cards: defineFigureModel(10.8, 0.068, 0.015, SHOPPING_EFFECTS),
    credit_cards: defineFigureModel(6.2, 0.04, 0.015, SHOPPING_EFFECTS),
    prepaid_cards: defineFigureModel(0.2, 0.055, 0.05, SHOPPING_EFFECTS),
    socialwelfare_card: defineFigureModel(0.4, -0.015, 0.1),
  });

export const generateSettlementMonthlyValue = () =>
  generateSeries(settlementTransactionsValue, MONTH_RANGE, {
    govt_securities: defineFigureModel(36_400, 0.0125, 0.035, {
      seasonalFactors: SETTLEMENT_SEASONALITY,
      eidEffect: -0.06,
    }),
    ibft: defineFigureModel(12_900, 0.0095, 0.025, {
      seasonalFactors: SETTLEMENT_SEASONALITY,
      eidEffect: -0.03,
    }),
    third_party_transfer: defineFigureModel(5_850, 0.0115, 0.02, {
      seasonalFactors: SETTLEMENT_SEASONALITY,
      eidEffect: 0.02,
    }),
    ancillary_clearing: defineFigureModel(1_960, 0.007, 0.025, {
      seasonalFactors: SETTLEMENT_SEASONALITY,
    }),
  });

const SHOPPING_EFFECTS = {
  seasonalFactors: [0.99, 1, 0.98, 1.03],
  eidEffect: 0.03,
  lockdownFactor: 0.66,
};

function defineFigureModel(
  start: number,
  growth: number,
  volatility: number,
  effects: Omit<FigureModel, 'start' | 'growth' | 'volatility'> = {},
): FigureModel {
  return { start, growth, volatility, ...effects };
}

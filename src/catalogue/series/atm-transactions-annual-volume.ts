import { stacked } from '../chart.ts';
import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { annual, YEARS_AS_PUBLISHED } from '../period.ts';

const million = amountIn('million transactions');
const kinds = [
  'atm_cash',
  'atm_deposit',
  'deposit_instrument',
  'funds_transfer',
  'utility_bills',
  'funds_transfers',
] as const;

export const atmTransactionsAnnualVolume = series({
  name: 'atm-transactions-annual-volume',
  title: 'ATM transactions, annual volume',
  meaning: 'How many transactions were made at ATMs in a year, by kind.',
  notes: [
    'Here funds_transfer holds account to account transfers, and funds_transfers third-party ones. In the IVR series (ivr-banking-annual-value) the two names are reversed.',
    YEARS_AS_PUBLISHED,
  ],
  fields: {
    year: period(annual, 'Year identifier'),
    atm_cash: million('Cash withdrawals'),
    atm_deposit: million('Cash deposits'),
    deposit_instrument: million('Deposits of payment instruments'),
    funds_transfer: million('Account to account fund transfers'),
    utility_bills: million('Utility bill payments'),
    funds_transfers: million('Third-party account to account fund transfers'),
    total: million('Total transactions'),
  },
  identities: [partsMakeTotal('total', kinds)],
  chart: stacked(kinds, 'total'),
  example: {
    year: '2025',
    atm_cash: 912.4,
    atm_deposit: 21.7,
    deposit_instrument: 0.4,
    funds_transfer: 28.3,
    utility_bills: 3.9,
    funds_transfers: 44.1,
    total: 1010.8,
  },
});

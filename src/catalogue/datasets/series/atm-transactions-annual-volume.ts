import { defineStackedSeries } from '../../model/dataset.ts';
import { millionTransactions, period } from '../../model/field-builders.ts';
import { annual } from '../../model/period.ts';

export const atmTransactionsAnnualVolume = defineStackedSeries({
  name: 'atm-transactions-annual-volume',
  title: 'ATM transactions, annual volume',
  description: 'How many transactions were made at ATMs in a year, by kind.',
  notes: [
    'Here funds_transfer holds account to account transfers, and funds_transfers third-party ones. In the IVR series (ivr-banking-annual-value) the two names are reversed.',
  ],
  fields: {
    year: period(annual, 'Year identifier'),
    atm_cash: millionTransactions('Cash withdrawals'),
    atm_deposit: millionTransactions('Cash deposits'),
    deposit_instrument: millionTransactions('Deposits of payment instruments'),
    funds_transfer: millionTransactions('Account to account fund transfers'),
    utility_bills: millionTransactions('Utility bill payments'),
    funds_transfers: millionTransactions('Third-party account to account fund transfers'),
    total: millionTransactions('Total transactions'),
  },
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

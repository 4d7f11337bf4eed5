import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { annual } from '../period.ts';

const million = amountIn('million transactions');

export const atmTransactionsAnnualVolume = series({
  name: 'atm-transactions-annual-volume',
  title: 'ATM transactions, annual volume',
  meaning: 'How many transactions were made at ATMs in a year, by kind.',
  fields: {
    year: period(annual, 'Year identifier'),
    atm_cash: million('Cash withdrawals'),
    atm_deposit: million('Cash deposits'),
    deposit_instrument: million('Deposits of payment instruments'),
    // Here the singular is own-bank and the plural third-party; the IVR series has them reversed.
    funds_transfer: million('Account to account fund transfers'),
    utility_bills: million('Utility bill payments'),
    funds_transfers: million('Third-party account to account fund transfers'),
    total: million('Total transactions'),
  },
  identities: [
    partsMakeTotal('total', [
      'atm_cash',
      'atm_deposit',
      'deposit_instrument',
      'funds_transfer',
      'utility_bills',
      'funds_transfers',
    ]),
  ],
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

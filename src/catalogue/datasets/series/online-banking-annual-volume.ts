import { defineStackedSeries } from '../../model/dataset.ts';
import { millionTransactions, period } from '../../model/field-builders.ts';
import { annual } from '../../model/period.ts';

export const onlineBankingAnnualVolume = defineStackedSeries({
  name: 'online-banking-annual-volume',
  title: 'Real-time online banking transactions, annual volume',
  description: 'How many real-time transactions were made at online branches in a year, by kind.',
  notes: [],
  fields: {
    year: period(annual, 'Year identifier'),
    cash_wtl: millionTransactions('Cash withdrawal'),
    cash_deposit: millionTransactions('Cash deposit'),
    funds_transfer: millionTransactions('Account to account funds transfer'),
    total: millionTransactions('Total transactions'),
  },
  example: { year: '2025', cash_wtl: 61.3, cash_deposit: 82.6, funds_transfer: 55.2, total: 199.1 },
});

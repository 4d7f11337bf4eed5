import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { quarterly } from '../period.ts';

const billion = amountIn('PKR billion');

export const atmTransactionsQuarterlyValue = series({
  name: 'atm-transactions-quarterly-value',
  title: 'ATM transactions, quarterly value',
  meaning: 'What transactions at ATMs were worth in a quarter, by kind.',
  fields: {
    period: period(quarterly, 'Quarter'),
    // The specification spells it so; clients depend on the name.
    cash_withdrawl: billion('Cash withdrawal'),
    intra_bank: billion('Intra-bank fund transfer'),
    inter_bank: billion('Inter-bank fund transfers'),
    utility_bills: billion('Utility bills payment'),
    cash_deposits: billion('Cash / instrument deposits'),
    total: billion('Total'),
  },
  identities: [
    partsMakeTotal('total', [
      'cash_withdrawl',
      'intra_bank',
      'inter_bank',
      'utility_bills',
      'cash_deposits',
    ]),
  ],
  example: {
    period: 'Q2 2026',
    cash_withdrawl: 3921.6,
    intra_bank: 268.2,
    inter_bank: 391.5,
    utility_bills: 8.1,
    cash_deposits: 214.7,
    total: 4804.1,
  },
});

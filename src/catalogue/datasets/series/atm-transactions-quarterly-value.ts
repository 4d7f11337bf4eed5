import { defineStackedSeries } from '../../model/dataset.ts';
import { period, pkrBillion } from '../../model/field-builders.ts';
import { quarterly } from '../../model/period.ts';

export const atmTransactionsQuarterlyValue = defineStackedSeries({
  name: 'atm-transactions-quarterly-value',
  title: 'ATM transactions, quarterly value',
  description: 'What transactions at ATMs were worth in a quarter, by kind.',
  notes: [
    'The name cash_withdrawl is spelled as in the specification: clients depend on it.',
    'The field cash_deposits holds deposits of payment instruments as well as of cash.',
  ],
  fields: {
    period: period(quarterly, 'Quarter'),
    cash_withdrawl: pkrBillion('Cash withdrawal'),
    intra_bank: pkrBillion('Intra-bank fund transfer'),
    inter_bank: pkrBillion('Inter-bank fund transfers'),
    utility_bills: pkrBillion('Utility bills payment'),
    cash_deposits: pkrBillion('Cash / instrument deposits'),
    total: pkrBillion('Total'),
  },
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

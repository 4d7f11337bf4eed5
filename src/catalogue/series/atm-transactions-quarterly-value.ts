import { stacked } from '../chart.ts';
import { series } from '../dataset.ts';
import { amountIn, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { QUARTERS_AS_PUBLISHED, quarterly } from '../period.ts';

const billion = amountIn('PKR billion');
const kinds = [
  'cash_withdrawl',
  'intra_bank',
  'inter_bank',
  'utility_bills',
  'cash_deposits',
] as const;

export const atmTransactionsQuarterlyValue = series({
  name: 'atm-transactions-quarterly-value',
  title: 'ATM transactions, quarterly value',
  meaning: 'What transactions at ATMs were worth in a quarter, by kind.',
  notes: [
    'The name cash_withdrawl is spelled as in the specification: clients depend on it.',
    'The field cash_deposits holds deposits of payment instruments as well as of cash.',
    QUARTERS_AS_PUBLISHED,
  ],
  fields: {
    period: period(quarterly, 'Quarter'),
    cash_withdrawl: billion('Cash withdrawal'),
    intra_bank: billion('Intra-bank fund transfer'),
    inter_bank: billion('Inter-bank fund transfers'),
    utility_bills: billion('Utility bills payment'),
    cash_deposits: billion('Cash / instrument deposits'),
    total: billion('Total'),
  },
  identities: [partsMakeTotal('total', kinds)],
  chart: stacked(kinds, 'total'),
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

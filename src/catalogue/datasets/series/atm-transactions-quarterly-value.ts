import { createDataset } from '../../model/create-dataset.ts';

export const atmTransactionsQuarterlyValue = createDataset({
  name: 'atm-transactions-quarterly-value',
  title: 'ATM transactions, quarterly value',
  description: 'What transactions at ATMs were worth in a quarter, by kind.',
  notes: [
    'The name cash_withdrawl is spelled as in the specification: clients depend on it.',
    'The field cash_deposits holds deposits of payment instruments as well as of cash.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/atm-transactions-quarterly-value',
  period: { kind: 'quarter', field: 'period', yearStart: null },
  measures: [
    { field: 'cash_withdrawl', title: 'Cash withdrawal', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'intra_bank', title: 'Intra-bank fund transfer', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'inter_bank', title: 'Inter-bank fund transfers', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'utility_bills', title: 'Utility bills payment', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'cash_deposits', title: 'Cash / instrument deposits', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'total', title: 'Total', unit: 'PKR billion', kind: 'flow', required: true },
  ],
  checks: [{ sum: ['cash_withdrawl', 'intra_bank', 'inter_bank', 'utility_bills', 'cash_deposits'], equals: 'total' }],
  schedule: { cadence: 'quarterly', delayDays: 80, toleranceDays: 20 },
  chart: { kind: 'stacked', fields: ['cash_withdrawl', 'intra_bank', 'inter_bank', 'utility_bills', 'cash_deposits'], total: 'total' },
  example: { period: 'Q2 2026', cash_withdrawl: 3921.6, intra_bank: 268.2, inter_bank: 391.5, utility_bills: 8.1, cash_deposits: 214.7, total: 4804.1 },
});

import { createDataset } from '../../model/create-dataset.ts';

export const posTransactionsQuarterlyVolume = createDataset({
  name: 'pos-transactions-quarterly-volume',
  title: 'POS transactions, quarterly volume',
  description: 'How many transactions were made at points of sale in a quarter, by kind of card.',
  notes: [
    'The source gives no total: a sum of the fields is the reader’s own.',
    'The field atm is the only one that is not named after a kind of card. The source does not say what it counts.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/pos-transactions-quarterly-volume',
  period: { kind: 'quarter', field: 'period', yearStart: null },
  measures: [
    { field: 'atm', title: 'ATM', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'debit_cards', title: 'Debit card', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'credit_cards', title: 'Credit cards', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'prepaid_cards', title: 'Pre-paid cards', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'socialwelfare_card', title: 'Social welfare card', unit: 'million transactions', kind: 'flow', required: true },
  ],
  schedule: { cadence: 'quarterly', delayDays: 80, toleranceDays: 20 },
  chart: { kind: 'stacked', fields: ['atm', 'debit_cards', 'credit_cards', 'prepaid_cards', 'socialwelfare_card'], total: null },
  example: { period: 'Q2 2026', atm: 1.4, debit_cards: 84.9, credit_cards: 20.3, prepaid_cards: 1.1, socialwelfare_card: 0.2 },
});

import { createDataset } from '../../model/create-dataset.ts';

export const onlineBankingAnnualVolume = createDataset({
  name: 'online-banking-annual-volume',
  title: 'Real-time online banking transactions, annual volume',
  description: 'How many real-time transactions were made at online branches in a year, by kind.',
  notes: [],
  scope: 'alternate',
  path: '/3.0/alternate/online-banking-annual-volume',
  period: { kind: 'year', field: 'year', yearStart: null },
  measures: [
    { field: 'cash_wtl', title: 'Cash withdrawal', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'cash_deposit', title: 'Cash deposit', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'funds_transfer', title: 'Account to account funds transfer', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'total', title: 'Total transactions', unit: 'million transactions', kind: 'flow', required: true },
  ],
  checks: [{ sum: ['cash_wtl', 'cash_deposit', 'funds_transfer'], equals: 'total' }],
  schedule: { cadence: 'annual', delayDays: 130, toleranceDays: 30 },
  chart: { kind: 'stacked', fields: ['cash_wtl', 'cash_deposit', 'funds_transfer'], total: 'total' },
  example: { year: '2025', cash_wtl: 61.3, cash_deposit: 82.6, funds_transfer: 55.2, total: 199.1 },
});

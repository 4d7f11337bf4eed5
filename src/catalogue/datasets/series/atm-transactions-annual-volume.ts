import { createDataset } from '../../model/create-dataset.ts';

export const atmTransactionsAnnualVolume = createDataset({
  name: 'atm-transactions-annual-volume',
  title: 'ATM transactions, annual volume',
  description: 'How many transactions were made at ATMs in a year, by kind.',
  notes: [
    'Here funds_transfer holds account to account transfers, and funds_transfers third-party ones. In the IVR series (ivr-banking-annual-value) the two names are reversed.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/atm-transactions-annual-volume',
  period: { kind: 'year', field: 'year', yearStart: null },
  measures: [
    { field: 'atm_cash', title: 'Cash withdrawals', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'atm_deposit', title: 'Cash deposits', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'deposit_instrument', title: 'Deposits of payment instruments', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'funds_transfer', title: 'Account to account fund transfers', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'utility_bills', title: 'Utility bill payments', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'funds_transfers', title: 'Third-party account to account fund transfers', unit: 'million transactions', kind: 'flow', required: true },
    { field: 'total', title: 'Total transactions', unit: 'million transactions', kind: 'flow', required: true },
  ],
  checks: [{ sum: ['atm_cash', 'atm_deposit', 'deposit_instrument', 'funds_transfer', 'utility_bills', 'funds_transfers'], equals: 'total' }],
  schedule: { cadence: 'annual', delayDays: 130, toleranceDays: 30 },
  chart: { kind: 'stacked', fields: ['atm_cash', 'atm_deposit', 'deposit_instrument', 'funds_transfer', 'utility_bills', 'funds_transfers'], total: 'total' },
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

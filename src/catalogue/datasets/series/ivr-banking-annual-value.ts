import { createDataset } from '../../model/create-dataset.ts';

export const ivrBankingAnnualValue = createDataset({
  name: 'ivr-banking-annual-value',
  title: 'Call centre / IVR banking transactions, annual value',
  description: 'What transactions through call centres and IVR banking were worth in a year, by kind.',
  notes: [
    'Here funds_transfers holds account to account transfers, and funds_transfer third-party ones. In the annual ATM series (atm-transactions-annual-volume) the two names are reversed.',
    'The field mobile_payment means payment through call centres, whatever its name suggests.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/ivr-banking-annual-value',
  period: { kind: 'year', field: 'year', yearStart: null },
  measures: [
    { field: 'total', title: 'Total transactions value', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'funds_transfers', title: 'Account to account fund transfers', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'funds_transfer', title: 'Third-party account to account fund transfers', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'mobile_payment', title: 'Payment through call centres', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'utility_bills', title: 'Utility bill payments', unit: 'PKR billion', kind: 'flow', required: true },
  ],
  checks: [{ sum: ['funds_transfers', 'funds_transfer', 'mobile_payment', 'utility_bills'], equals: 'total' }],
  schedule: { cadence: 'annual', delayDays: 130, toleranceDays: 30 },
  chart: { kind: 'stacked', fields: ['funds_transfers', 'funds_transfer', 'mobile_payment', 'utility_bills'], total: 'total' },
  example: { year: '2025', total: 15.9, funds_transfers: 6.2, funds_transfer: 4.7, mobile_payment: 4.3, utility_bills: 0.7 },
});

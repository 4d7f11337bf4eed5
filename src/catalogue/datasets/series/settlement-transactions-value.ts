import { createDataset } from '../../model/create-dataset.ts';

export const settlementTransactionsValue = createDataset({
  name: 'settlement-transactions-value',
  title: 'Settlement-system transactions, by value',
  description: 'What the transactions settled in the large-value system were worth in a month, by kind.',
  notes: [
    'The source gives no total, and nothing says that the four kinds make up the whole.',
    'The kinds differ widely in size: on one axis, the smaller ones look flat.',
    'The field ibft is not inter_bank of the quarterly ATM series, although both are called inter-bank fund transfers.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/settlement-transactions-value',
  period: { kind: 'month', field: 'period' },
  measures: [
    { field: 'govt_securities', title: 'Government securities', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'ibft', title: 'Inter-bank fund transfers', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'third_party_transfer', title: 'Third-party customer transfers', unit: 'PKR billion', kind: 'flow', required: true },
    { field: 'ancillary_clearing', title: 'Ancillary clearing settlement', unit: 'PKR billion', kind: 'flow', required: true },
  ],
  schedule: { cadence: 'monthly', delayDays: 45, toleranceDays: 15 },
  chart: { kind: 'lines', fields: ['govt_securities', 'ibft', 'third_party_transfer', 'ancillary_clearing'], total: null },
  example: { period: 'Jun 2026', govt_securities: 61240.7, ibft: 18930.4, third_party_transfer: 9412.6, ancillary_clearing: 2711.9 },
});

import { createDataset } from '../../model/create-dataset.ts';

export const paymentsMarketPlayers = createDataset({
  name: 'payments-market-players',
  title: 'Licensed market players',
  description: 'How many institutions hold a licence in the payments market, by kind.',
  notes: [
    'The field pso_psp counts payment system operators and payment service providers together.',
    'The source does not say on which day of the year licences were counted.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/payments-market-players',
  period: { kind: 'year', field: 'year', yearStart: null },
  measures: [
    { field: 'total', title: 'Total licensed players', unit: 'institutions', kind: 'stock', decimals: 0, required: true },
    { field: 'banks', title: 'Banks', unit: 'institutions', kind: 'stock', decimals: 0, required: true },
    { field: 'mfbs', title: 'Microfinance banks', unit: 'institutions', kind: 'stock', decimals: 0, required: true },
    { field: 'digitalbanks', title: 'Digital banks', unit: 'institutions', kind: 'stock', decimals: 0, required: true },
    { field: 'pso_psp', title: 'Payment system operators / payment service providers', unit: 'institutions', kind: 'stock', decimals: 0, required: true },
    { field: 'emis', title: 'Electronic money institutions', unit: 'institutions', kind: 'stock', decimals: 0, required: true },
  ],
  checks: [{ sum: ['banks', 'mfbs', 'digitalbanks', 'pso_psp', 'emis'], equals: 'total' }],
  schedule: { cadence: 'annual', delayDays: 130, toleranceDays: 30 },
  chart: { kind: 'stacked', fields: ['banks', 'mfbs', 'digitalbanks', 'pso_psp', 'emis'], total: 'total' },
  example: { year: '2025', total: 61, banks: 32, mfbs: 12, digitalbanks: 3, pso_psp: 9, emis: 5 },
});

import { createDataset } from '../../model/create-dataset.ts';

export const mobileMoneyAccountsMale = createDataset({
  name: 'mobile-money-accounts-male',
  title: 'Mobile money accounts held by men',
  description: 'How many mobile money accounts are held by male users, nationally and by province.',
  notes: [
    'The four provinces stay below the national figure: Azad Jammu and Kashmir and Gilgit-Baltistan have no key of their own.',
    'The key kpk is Khyber Pakhtunkhwa.',
    'Accounts are counted, not people: one man may hold several.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/mobile-money-accounts-male',
  message: true,
  period: { kind: 'month', field: 'period' },
  measures: [{ field: 'national', title: 'Accounts held by male users, national total', unit: 'accounts', kind: 'stock', integer: true, required: true }],
  keyedList: {
    field: 'provinces',
    title: 'Accounts held by male users, by province',
    key: 'Province: punjab, sindh, kpk, balochistan',
    value: { title: 'Accounts held by male users in the province', unit: 'accounts', kind: 'stock', integer: true },
  },
  checks: [{ sum: ['provinces'], atMost: 'national' }],
  schedule: { cadence: 'monthly', delayDays: 45, toleranceDays: 15 },
  chart: { kind: 'multiples', fields: ['provinces'], total: 'national' },
  example: {
    period: 'Jun 2026',
    national: 48310200,
    provinces: [
      { key: 'punjab', value: 28420100 },
      { key: 'sindh', value: 10511300 },
      { key: 'kpk', value: 6790400 },
      { key: 'balochistan', value: 1630800 },
    ],
  },
});

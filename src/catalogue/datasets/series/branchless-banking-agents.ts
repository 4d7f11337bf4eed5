import { createDataset } from '../../model/create-dataset.ts';

// The specification allows any number of agents; the mobile money series requires integers.
export const branchlessBankingAgents = createDataset({
  name: 'branchless-banking-agents',
  title: 'Branchless banking agents',
  description: 'How many agents offer branchless banking, nationally and by province.',
  notes: [
    'The four provinces stay below the national figure: Azad Jammu and Kashmir and Gilgit-Baltistan have no key of their own.',
    'The key kpk is Khyber Pakhtunkhwa.',
  ],
  scope: 'alternate',
  path: '/3.0/alternate/branchless-banking-agents',
  message: true,
  period: { kind: 'month', field: 'period' },
  measures: [{ field: 'total', title: 'Total agents', unit: 'agents', kind: 'stock', decimals: 0, required: true }],
  keyedList: {
    field: 'provinces',
    title: 'Agents by province',
    key: 'Province: punjab, sindh, kpk, balochistan',
    value: { title: 'Agents in the province', unit: 'agents', kind: 'stock', decimals: 0 },
  },
  checks: [{ sum: ['provinces'], atMost: 'total' }],
  schedule: { cadence: 'monthly', delayDays: 45, toleranceDays: 15 },
  chart: { kind: 'multiples', fields: ['provinces'], total: 'total' },
  example: {
    period: 'Jun 2026',
    total: 712400,
    provinces: [
      { key: 'punjab', value: 421300 },
      { key: 'sindh', value: 158200 },
      { key: 'kpk', value: 96100 },
      { key: 'balochistan', value: 24300 },
    ],
  },
});

import { defineCheck } from '../../model/consistency-check.ts';
import { defineSeries } from '../../model/dataset.ts';
import { keyedList, period, wholeAmountIn } from '../../model/field-builders.ts';
import { monthly } from '../../model/period.ts';

// The specification allows any number here; the mobile money series requires integers.
const agentCount = wholeAmountIn('agents');

export const branchlessBankingAgents = defineSeries({
  name: 'branchless-banking-agents',
  title: 'Branchless banking agents',
  description: 'How many agents offer branchless banking, nationally and by province.',
  hasMessage: true,
  notes: [
    'The four provinces stay below the national figure: Azad Jammu and Kashmir and Gilgit-Baltistan have no key of their own.',
    'The key kpk is Khyber Pakhtunkhwa.',
  ],
  fields: {
    period: period(monthly, 'Month'),
    total: agentCount('Total agents'),
    provinces: keyedList(
      'Agents by province',
      'Province: punjab, sindh, kpk, balochistan',
      agentCount('Agents in the province'),
    ),
  },
  checks: [defineCheck('list-above-total', 'total', ['provinces'])],
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

import { defineCheck } from '../../model/consistency-check.ts';
import { defineSeries } from '../../model/dataset.ts';
import { countOf, keyedList, period } from '../../model/field-builders.ts';
import { monthly } from '../../model/period.ts';

const accountCount = countOf('accounts');

export const mobileMoneyAccountsMale = defineSeries({
  name: 'mobile-money-accounts-male',
  title: 'Mobile money accounts held by men',
  description: 'How many mobile money accounts are held by male users, nationally and by province.',
  hasMessage: true,
  notes: [
    'The four provinces stay below the national figure: Azad Jammu and Kashmir and Gilgit-Baltistan have no key of their own.',
    'The key kpk is Khyber Pakhtunkhwa.',
    'Accounts are counted, not people: one man may hold several.',
  ],
  fields: {
    period: period(monthly, 'Month'),
    national: accountCount('Accounts held by male users, national total'),
    provinces: keyedList(
      'Accounts held by male users, by province',
      'Province: punjab, sindh, kpk, balochistan',
      accountCount('Accounts held by male users in the province'),
    ),
  },
  checks: [defineCheck('list-above-total', 'national', ['provinces'])],
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

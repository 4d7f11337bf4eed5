import { stacked } from '../chart.ts';
import { series } from '../dataset.ts';
import { countOf, period } from '../field.ts';
import { partsMakeTotal } from '../identity.ts';
import { annual, YEARS_AS_PUBLISHED } from '../period.ts';

const institutions = countOf('institutions');
const kinds = ['banks', 'mfbs', 'digitalbanks', 'pso_psp', 'emis'] as const;

export const paymentsMarketPlayers = series({
  name: 'payments-market-players',
  title: 'Licensed market players',
  meaning: 'How many institutions hold a licence in the payments market, by kind.',
  notes: [
    'The field pso_psp counts payment system operators and payment service providers together.',
    'The source does not say on which day of the year licences were counted.',
    YEARS_AS_PUBLISHED,
  ],
  fields: {
    year: period(annual, 'Year identifier'),
    total: institutions('Total licensed players'),
    banks: institutions('Banks'),
    mfbs: institutions('Microfinance banks'),
    digitalbanks: institutions('Digital banks'),
    pso_psp: institutions('Payment system operators / payment service providers'),
    emis: institutions('Electronic money institutions'),
  },
  identities: [partsMakeTotal('total', kinds)],
  chart: stacked(kinds, 'total'),
  example: { year: '2025', total: 61, banks: 32, mfbs: 12, digitalbanks: 3, pso_psp: 9, emis: 5 },
});

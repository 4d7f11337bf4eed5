import type { View } from '../address/place.ts';

/** What the views are called. */
export const TITLES: Readonly<Record<View, string>> = {
  market: 'Market',
  security: 'Security',
  funds: 'Funds',
  payments: 'Payments',
  ledger: 'Ledger',
};

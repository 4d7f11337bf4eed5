import { useEffect } from 'preact/hooks';
import type { View } from '../address/place.ts';

/** What the views are called. */
export const TITLES: Readonly<Record<View, string>> = {
  market: 'Market',
  security: 'Security',
  funds: 'Funds',
  payments: 'Payments',
  ledger: 'Ledger',
};

let general = '';
let own: string | undefined;

/** Says what the browser calls the page, where what it shows has no name of its own. */
export function titled(words: string): void {
  general = words;
  show();
}

/** Says what it is called instead, while that is shown. */
export function useTitle(words: string): void {
  useEffect(() => {
    own = words;
    show();
    return () => {
      if (own === words) own = undefined;
      show();
    };
  }, [words]);
}

function show(): void {
  document.title = `${own ?? general} · Tenor`;
}

import { useEffect } from 'preact/hooks';
import type { View } from '../routing/view-route.ts';

/** What the views are called. */
export const VIEW_TITLES: Readonly<Record<View, string>> = {
  market: 'Market',
  security: 'Security',
  funds: 'Funds',
  payments: 'Payments',
  ledger: 'Ledger',
};

let viewTitle = '';
let pageTitle: string | undefined;

/** Says what the browser calls the page, where what it shows has no name of its own. */
export function setViewTitle(words: string): void {
  viewTitle = words;
  updateDocumentTitle();
}

/** Says what it is called instead, while that is shown. */
export function usePageTitle(words: string): void {
  useEffect(() => {
    pageTitle = words;
    updateDocumentTitle();
    return () => {
      if (pageTitle === words) pageTitle = undefined;
      updateDocumentTitle();
    };
  }, [words]);
}

function updateDocumentTitle(): void {
  document.title = `${pageTitle ?? viewTitle} · Tenor`;
}

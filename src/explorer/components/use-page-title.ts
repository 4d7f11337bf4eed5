import { useEffect } from 'preact/hooks';

let viewTitle = '';
let pageTitle: string | undefined;

export function setViewTitle(title: string): void {
  viewTitle = title;
  updateDocumentTitle();
}

/** Replaces the view's title while the calling component is mounted. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle = title;
    updateDocumentTitle();
    return () => {
      if (pageTitle === title) pageTitle = undefined;
      updateDocumentTitle();
    };
  }, [title]);
}

function updateDocumentTitle(): void {
  document.title = `${pageTitle ?? viewTitle} · Tenor`;
}

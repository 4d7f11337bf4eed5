import { useEffect, useMemo, useState } from 'preact/hooks';
import { FindDialog } from './find-dialog.tsx';
import type { FindSources } from './find-items.ts';

/** Opens the search for anything; so do Ctrl-K (on a Mac Command-K) and, outside of inputs, `/`. */
export function FindButton({ views }: Pick<FindSources, 'views'>) {
  const [isOpen, setOpen] = useState(false);
  // The header makes a new list whenever it is rendered.
  const stableViews = useMemo(() => views, [JSON.stringify(views)]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFindKey(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K /"
        aria-haspopup="dialog"
        title="Find anything (Ctrl-K or /)"
        onClick={() => setOpen(true)}
      >
        Find{' '}
        <span class="key" aria-hidden="true">
          /
        </span>
      </button>
      {isOpen && <FindDialog views={stableViews} onClose={() => setOpen(false)} />}
    </>
  );
}

function isFindKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  return key === '/' && !(target as Element).closest?.('input, select, textarea');
}

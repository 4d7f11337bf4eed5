import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SecuritySummary } from '../../operations/securities/securities-operation.ts';
import { useExplorer } from '../api/explorer-context.ts';
import { useQuery } from '../api/use-query.ts';
import { Button } from '../components/button.tsx';
import { Combobox } from '../components/combobox.tsx';
import { FUND_LIST_REQUEST, type ListedFund } from '../funds/fund-record.ts';
import { navigate, urlFor } from '../routing/view-route.tsx';
import { buildFindItems, type FindSources, findItems } from './find-items.ts';

/** Opens the search, like Ctrl-K (Command-K on a Mac) and, outside of inputs, `/`. */
export function FindButton({ views }: Pick<FindSources, 'views'>) {
  const [isOpen, setOpen] = useState(false);
  // The header creates a new list whenever it renders.
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
      <Button
        aria-keyshortcuts="Control+K Meta+K /"
        aria-haspopup="dialog"
        title="Find anything (Ctrl-K or /)"
        onClick={() => setOpen(true)}
      >
        Find{' '}
        <code class="muted" aria-hidden="true">
          /
        </code>
      </Button>
      {isOpen && <FindDialog views={stableViews} onClose={() => setOpen(false)} />}
    </>
  );
}

function isFindKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  return key === '/' && !(target as Element).closest?.('input, select, textarea');
}

interface FindDialogProps extends Pick<FindSources, 'views'> {
  readonly onClose: () => void;
}

const MAX_MATCHES = 12;

/** Finds securities, funds, series, views and revisions by typed text. */
function FindDialog({ views, onClose }: FindDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const { items, sources, isLoading } = useFindItems(views);
  const matches = findItems(items, text, sources, MAX_MATCHES);
  // Opened before the next key is pressed.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="find-dialog"
      aria-label="Find"
      onClose={onClose}
      // Outside of its content, the pointer hits the dialog element itself.
      onMouseDown={(event) => {
        if (event.target !== dialog.current) return;
        // The focus returns to its previous element, not to the one below the pointer.
        event.preventDefault();
        dialog.current?.close();
      }}
    >
      <div class="picker">
        <Combobox
          aria-label="Find a security, fund, series, tenor, day, view or revision"
          placeholder="Security, fund, series, day or revision"
          value={text}
          onText={setText}
          items={matches}
          listLabel="Matches"
          renderItem={({ kind, title, detail, isMatured }) => (
            <>
              <div>
                <b>{title}</b> <span>{detail}</span>
              </div>
              <small>{isMatured ? 'Matured' : kind}</small>
            </>
          )}
          onSelect={({ view, params }) => {
            onClose();
            navigate(urlFor(view, params));
          }}
          status={matches.length > 0 ? '' : isLoading ? 'Loading…' : 'Nothing matches'}
        />
      </div>
    </dialog>
  );
}

function useFindItems(views: FindSources['views']) {
  const { catalogue, revision, revisions } = useExplorer();
  const canRead = (scope: string) => catalogue.some((dataset) => dataset.scope === scope);
  const securities = useQuery<readonly SecuritySummary[]>(
    canRead('quotes') ? { path: '/2.0/bnb/securities' } : undefined,
  );
  const funds = useQuery<readonly ListedFund[]>(canRead('funds') ? FUND_LIST_REQUEST : undefined);
  const sources = {
    views,
    catalogue,
    revisions,
    revision,
    securities: securities.data ?? [],
    funds: funds.data ?? [],
  };
  const items = useMemo(
    () => buildFindItems(sources),
    [views, catalogue, revisions, securities.data, funds.data],
  );
  return { items, sources, isLoading: securities.isLoading || funds.isLoading };
}

import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SecuritySummary } from '../../catalogue/operations/discovery.ts';
import { useExplorer } from '../api/explorer-context.ts';
import { useQuery } from '../api/use-query.ts';
import { FUND_LIST_REQUEST, type ListedFund } from '../funds/fund-record.ts';
import { navigate, urlFor } from '../routing/view-route.tsx';
import { buildFindItems, type FindItem, type FindSources, findItems } from './find-items.ts';

interface FindDialogProps {
  readonly views: FindSources['views'];
  readonly onClose: () => void;
}

const MAX_MATCHES = 12;

/** Finds securities, funds, series, views and revisions by what is typed. */
export function FindDialog({ views, onClose }: FindDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key is pressed.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="find-dialog"
      aria-label="Find"
      onClose={onClose}
      // Outside of its content, the dialog itself is what the pointer meets.
      onMouseDown={(event) => {
        if (event.target !== dialog.current) return;
        // The focus goes back to where it was, not to what is below the pointer.
        event.preventDefault();
        dialog.current?.close();
      }}
    >
      <FindBox views={views} onClose={onClose} />
    </dialog>
  );
}

function FindBox({ views, onClose }: FindDialogProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { items, sources, isLoading } = useFindItems(views);
  const matches = findItems(items, text, sources, MAX_MATCHES);
  const select = ({ view, params }: FindItem) => {
    onClose();
    navigate(urlFor(view, params));
  };
  const { activeIndex, setActiveIndex, onKeyDown } = useListKeys(matches, select);
  const hasMatches = matches.length > 0;
  return (
    <div class="picker">
      <input
        type="text"
        role="combobox"
        aria-label="Find a security, fund, series, day, view or revision"
        placeholder="Security, fund, series, day or revision"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={hasMatches}
        aria-controls={`${id}-list`}
        aria-activedescendant={hasMatches ? `${id}-${activeIndex}` : undefined}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActiveIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Matches" hidden={!hasMatches}>
        {matches.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={`${item.kind} ${item.title}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onClick={() => select(item)}
          >
            <div>
              <b>{item.title}</b> <span>{item.detail}</span>
            </div>
            <small>{item.kind}</small>
          </div>
        ))}
      </div>
      <p class="no-match" role="status">
        {hasMatches ? '' : isLoading ? 'Loading…' : 'Nothing matches'}
      </p>
    </div>
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

/** The option that arrows choose and Enter selects. */
function useListKeys<Item>(items: readonly Item[], select: (item: Item) => void) {
  const [activeIndex, setActiveIndex] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActiveIndex((activeIndex + step + items.length) % Math.max(1, items.length));
    }
    const active = items[activeIndex];
    if (event.key === 'Enter' && active) select(active);
  };
  return { activeIndex, setActiveIndex, onKeyDown };
}

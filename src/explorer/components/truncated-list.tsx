import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface TruncatedListProps<Item> {
  readonly class: string;
  readonly items: readonly Item[];
  readonly initialCount: number;
  readonly renderItem: (item: Item) => ComponentChildren;
}

/** The first items of a list, and a button that shows all of them. */
export function TruncatedList<Item>(props: TruncatedListProps<Item>) {
  const { items, initialCount, renderItem } = props;
  const [isExpanded, setExpanded] = useState(false);
  const visible = isExpanded ? items : items.slice(0, initialCount);
  return (
    <>
      <ol class={props.class}>
        {visible.map((item, index) => (
          <li key={index}>{renderItem(item)}</li>
        ))}
      </ol>
      {visible.length < items.length && (
        <p class="list-footer">
          The first {visible.length} of {items.length}.{' '}
          <button type="button" onClick={() => setExpanded(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';

interface ComboboxProps<Item> extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onSelect'> {
  readonly onText: (text: string) => void;
  /** Called before a key is handled, in the same event, while the list is still unchanged. */
  readonly onKey?: (key: string) => void;
  /** The matches; the list is closed without any. */
  readonly items: readonly Item[];
  readonly listLabel: string;
  readonly renderItem: (item: Item) => ComponentChildren;
  readonly onSelect: (item: Item) => void;
  /** Shown below the input, such as that nothing matches. */
  readonly status: string;
}

/** An input with a list of matches: arrows move through it, Enter selects. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { onText, onKey, items, listLabel, renderItem, onSelect, status, ...attributes } = props;
  const id = useId();
  const isExpanded = items.length > 0;
  const { activeIndex, setActiveIndex, select, onKeyDown } = useActiveOption(items, onSelect);
  return (
    <>
      <input
        {...attributes}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={`${id}-list`}
        aria-activedescendant={isExpanded ? `${id}-${activeIndex}` : undefined}
        onInput={({ currentTarget }) => {
          setActiveIndex(0);
          onText(currentTarget.value);
        }}
        onKeyDown={(event) => {
          onKey?.(event.key);
          onKeyDown(event);
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={listLabel} hidden={!isExpanded}>
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onClick={() => select(item)}
          >
            {renderItem(item)}
          </div>
        ))}
      </div>
      <p class="no-match" role="status">
        {status}
      </p>
    </>
  );
}

/** The option that arrows move to and Enter selects. */
function useActiveOption<Item>(items: readonly Item[], onSelect: (item: Item) => void) {
  const [activeIndex, setActiveIndex] = useState(0);
  const { length } = items;
  const select = (item: Item) => {
    setActiveIndex(0);
    onSelect(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) event.preventDefault();
    if (step && length > 0) setActiveIndex((activeIndex + step + length) % length);
    const active = items[activeIndex];
    if (event.key === 'Enter' && active) select(active);
  };
  return { activeIndex, setActiveIndex, select, onKeyDown };
}

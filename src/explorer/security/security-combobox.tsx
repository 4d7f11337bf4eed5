import { useId, useState } from 'preact/hooks';
import { useDismissible } from '../components/use-dismissible.ts';
import { formatType, type QuotedSecurity, suggestSecurities } from './quote.ts';

interface SecurityComboboxProps {
  readonly label: string;
  /** The first of them are suggested when the field is clicked, before anything is typed. */
  readonly securities: readonly QuotedSecurity[];
  readonly onSelect: (symbol: string) => void;
}

export function SecurityCombobox({ label, securities, onSelect }: SecurityComboboxProps) {
  const id = useId();
  const combobox = useSuggestions(securities, onSelect);
  const { root, text, suggestions, activeIndex } = combobox;
  const isExpanded = suggestions.length > 0;
  return (
    <div class="picker" ref={root}>
      <label for={`${id}-input`}>{label}</label>
      <input
        id={`${id}-input`}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder="Symbol, ISIN or name"
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={`${id}-list`}
        aria-activedescendant={isExpanded ? `${id}-${activeIndex}` : undefined}
        value={text}
        onClick={combobox.open}
        onInput={({ currentTarget }) => combobox.search(currentTarget.value)}
        onKeyDown={combobox.onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Securities" hidden={!isExpanded}>
        {suggestions.map(({ symbol, isin, type, name }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={symbol}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onClick={() => combobox.select(symbol)}
          >
            <b>{symbol}</b> <span>{name ?? isin}</span> <small>{formatType(type)}</small>
          </div>
        ))}
      </div>
      <p class="no-match" role="status">
        {combobox.isOpen && !isExpanded ? 'No security matches' : ''}
      </p>
    </div>
  );
}

const MAX_SUGGESTIONS = 10;

function useSuggestions(securities: readonly QuotedSecurity[], onSelect: (symbol: string) => void) {
  const [text, setText] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const { root, isOpen, setOpen } = useDismissible();
  const suggestions = isOpen ? suggestSecurities(securities, text, MAX_SUGGESTIONS) : [];
  const search = (input: string) => {
    setText(input);
    setActiveIndex(0);
    setOpen(input.trim() !== '');
  };
  const select = (symbol: string) => {
    search('');
    onSelect(symbol);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { length } = suggestions;
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (isOpen) setActiveIndex((activeIndex + step + length) % Math.max(1, length));
    }
    const active = suggestions[activeIndex];
    if (event.key === 'Enter' && active) select(active.symbol);
    if (event.key === 'Tab') setOpen(false);
  };
  const open = () => setOpen(true);
  return { root, isOpen, text, suggestions, activeIndex, open, search, select, onKeyDown };
}

import { useId, useState } from 'preact/hooks';
import { useDismissible } from '../components/use-dismissible.ts';
import { formatType, type SecuritySummary } from './quote.ts';
import { suggestSecurities } from './search-securities.ts';

interface SecurityComboboxProps {
  readonly securities: readonly SecuritySummary[];
  readonly onChoose: (symbol: string) => void;
}

const MAX_SUGGESTIONS = 10;

/** Changes to another security: what is typed is looked for in symbols and ISINs. */
export function SecurityCombobox({ securities, onChoose }: SecurityComboboxProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { root, isOpen, setOpen } = useDismissible();
  const id = useId();
  const found = isOpen ? suggestSecurities(securities, text, MAX_SUGGESTIONS) : [];
  const type = (typed: string) => {
    setText(typed);
    setActive(0);
    setOpen(typed.trim() !== '');
  };
  const choose = (symbol: string) => {
    type('');
    onChoose(symbol);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (isOpen) setActive((active + step + found.length) % Math.max(1, found.length));
    }
    const { symbol } = found[active] ?? {};
    if (event.key === 'Enter' && symbol !== undefined) choose(symbol);
    if (event.key === 'Tab') setOpen(false);
  };
  return (
    <div class="picker" ref={root}>
      <label for={`${id}-input`}>Another security</label>
      <input
        id={`${id}-input`}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder="Symbol or ISIN"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Securities" hidden={found.length === 0}>
        {found.map(({ symbol, isin, type: kind }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
          <div
            key={symbol}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => choose(symbol)}
          >
            <b>{symbol}</b> <span>{isin}</span> <small>{formatType(kind)}</small>
          </div>
        ))}
      </div>
      <p class="no-match" role="status">
        {isOpen && found.length === 0 ? 'No security matches' : ''}
      </p>
    </div>
  );
}

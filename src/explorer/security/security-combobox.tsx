import { useId, useState } from 'preact/hooks';
import { Combobox } from '../components/combobox.tsx';
import { useDismissible } from '../components/use-dismissible.ts';
import { formatType, matchesText, type QuotedSecurity } from './quote-fields.ts';

interface SecurityComboboxProps {
  readonly label: string;
  /** The first ones are suggested when the field is clicked, before anything is typed. */
  readonly securities: readonly QuotedSecurity[];
  readonly onSelect: (symbol: string) => void;
}

const MAX_SUGGESTIONS = 10;

export function SecurityCombobox({ label, securities, onSelect }: SecurityComboboxProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { root, isOpen, setOpen } = useDismissible();
  const matches = isOpen ? securities.filter((security) => matchesText(security, text)) : [];
  const suggestions = matches.slice(0, MAX_SUGGESTIONS);
  const search = (input: string) => {
    setText(input);
    setOpen(input.trim() !== '');
  };
  return (
    <div class="picker" ref={root}>
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <Combobox
        id={id}
        placeholder={`${label} …`}
        value={text}
        onText={search}
        onClick={() => setOpen(true)}
        onKey={(key) => {
          if (key === 'ArrowDown' || key === 'ArrowUp') setOpen(true);
          if (key === 'Tab') setOpen(false);
        }}
        items={suggestions}
        listLabel="Securities"
        renderItem={({ symbol, isin, type, name }) => (
          <>
            <b>{symbol}</b> <span>{name ?? isin}</span> <small>{formatType(type)}</small>
          </>
        )}
        onSelect={({ symbol }) => {
          search('');
          onSelect(symbol);
        }}
        status={isOpen && suggestions.length === 0 ? 'No security matches' : ''}
      />
    </div>
  );
}

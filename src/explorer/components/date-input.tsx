import { useRef, useState } from 'preact/hooks';

interface DateInputProps {
  readonly label: string;
  readonly first: string;
  readonly last: string;
  /** Empty if no day is selected. */
  readonly day: string;
  readonly onDay: (day: string) => void;
}

/** A typed day only counts after Enter or blur, because browsers report the year 2 while 2026 is typed. */
export function DateInput({ label, first, last, day, onDay }: DateInputProps) {
  const [draft, setDraft] = useState<string>();
  const isTyped = useRef(false);
  const commit = (input: HTMLInputElement) => {
    const isValid = input.reportValidity();
    setDraft(undefined);
    isTyped.current = false;
    if (isValid && input.value !== day) onDay(input.value);
  };
  return (
    <input
      type="date"
      aria-label={label}
      min={first}
      max={last}
      value={draft ?? day}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') commit(currentTarget);
        else isTyped.current = key !== 'Tab';
      }}
      onInput={({ currentTarget }) => {
        if (isTyped.current) setDraft(currentTarget.value);
        else commit(currentTarget);
      }}
      onBlur={({ currentTarget }) => {
        if (draft !== undefined) commit(currentTarget);
      }}
    />
  );
}

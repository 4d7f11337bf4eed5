import { useRef, useState } from 'preact/hooks';

interface DateInputProps {
  readonly label: string;
  readonly first: string;
  readonly last: string;
  /** Empty where no day is chosen. */
  readonly day: string;
  readonly onDay: (day: string) => void;
}

/**
 * Where a day is chosen. One that is typed counts when it is whole, with Enter or on leaving: on
 * the way to 2026 a browser tells of the year 2.
 */
export function DateInput({ label, first, last, day, onDay }: DateInputProps) {
  const [draft, setDraft] = useState<string>();
  const isTyped = useRef(false);
  const settle = (input: HTMLInputElement) => {
    const isRight = input.reportValidity();
    setDraft(undefined);
    isTyped.current = false;
    if (isRight && input.value !== day) onDay(input.value);
  };
  return (
    <input
      type="date"
      aria-label={label}
      min={first}
      max={last}
      value={draft ?? day}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') settle(currentTarget);
        else isTyped.current = key !== 'Tab';
      }}
      onInput={({ currentTarget }) => {
        if (isTyped.current) setDraft(currentTarget.value);
        else settle(currentTarget);
      }}
      onBlur={({ currentTarget }) => {
        if (draft !== undefined) settle(currentTarget);
      }}
    />
  );
}

import { useId, useState } from 'preact/hooks';
import { go, usePlace } from '../address/place.ts';
import { Choices } from '../parts/choices.tsx';
import type { Security } from '../quotes/quote.ts';
import {
  isNarrowed,
  type Range,
  refusalOf,
  SPANS,
  type Span,
  spanIn,
  USUAL_SPAN,
} from './range.ts';

interface RangeBarProps {
  readonly security: Security;
  readonly range: Range;
}

const OPTIONS = (Object.keys(SPANS) as Span[]).map((key) => ({ key, text: key }));

/** Chooses the days that are shown: so far back from the last quote, or from one day to another. */
export function RangeBar({ security, range }: RangeBarProps) {
  const { at } = usePlace();
  const span = spanIn(at);
  const choose = (key: Span | '') =>
    go({ span: key === USUAL_SPAN ? undefined : key, from: undefined, to: undefined });
  return (
    <div class="range-bar">
      <Choices<Span | ''>
        label="How far back"
        options={OPTIONS}
        chosen={isNarrowed(at) ? '' : span}
        onChoose={choose}
      />
      <Days key={`${range.from} ${range.to}`} security={security} range={range} />
      {isNarrowed(at) && (
        <button type="button" onClick={() => choose(span)}>
          Back to {span}
        </button>
      )}
    </div>
  );
}

function Days({ security, range }: RangeBarProps) {
  const [from, setFrom] = useState(range.from ?? security.firstDate);
  const [to, setTo] = useState(range.to ?? security.lastDate);
  const [refusal, refuse] = useState(refusalOf(range));
  const help = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = { from: from || undefined, to: to || undefined };
    const why = incomplete(event.currentTarget as HTMLFormElement) ?? refusalOf(chosen);
    refuse(why);
    if (why === undefined) go(from || to ? chosen : { span: 'All', ...chosen });
  };
  const inputs = [
    { text: 'From', value: from, set: setFrom },
    { text: 'To', value: to, set: setTo },
  ];
  return (
    <form class="days" onSubmit={submit} noValidate>
      {inputs.map(({ text, value, set }) => (
        <label key={text}>
          {text}
          <input
            type="date"
            max="9999-12-31"
            value={value}
            aria-invalid={refusal !== undefined}
            aria-describedby={refusal === undefined ? undefined : help}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
      ))}
      <button type="submit">Show</button>
      {refusal !== undefined && (
        <p class="refusal" id={help} role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

/** A browser tells nothing of a day that is half written but that it is. */
function incomplete(form: HTMLFormElement): string | undefined {
  const isIncomplete = [...form.querySelectorAll('input')].some(
    ({ validity }) => validity.badInput,
  );
  return isIncomplete ? 'A day is not complete: it needs a day, a month and a year.' : undefined;
}

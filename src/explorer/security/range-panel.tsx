import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { EmptyState, Panel, QueryView, type QueryViewProps } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import {
  type DayRange,
  DEFAULT_SPAN,
  formatDayRange,
  hasExplicitDates,
  parseSpan,
  SPAN_MONTHS,
  validateDayRange,
} from './day-range.ts';
import type { QuotedSecurity } from './quoted-security.ts';

interface RangePanelProps<T> extends DayRangeBarProps, Omit<QueryViewProps<T>, 'subject'> {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly exported: ExportMenuProps;
  /** Further controls, after those of the range. */
  readonly controls: ComponentChildren;
}

/** Charts of the days that the visitor chooses. */
export function RangePanel<T>(props: RangePanelProps<T>) {
  const { title, security, range, query, isEmpty, exported, controls } = props;
  const isValid = validateDayRange(range) === undefined;
  return (
    <Panel title={title} class="history" exported={isValid ? exported : undefined}>
      <div class="history-controls row">
        <DayRangeBar security={security} range={range} />
        {controls}
      </div>
      <div>
        {isValid && !(isEmpty && !query.isLoading) ? (
          <QueryView query={query} subject="quotes">
            {props.children}
          </QueryView>
        ) : (
          <EmptyRange security={security} range={range} />
        )}
      </div>
    </Panel>
  );
}

interface DayRangeBarProps {
  readonly security: QuotedSecurity;
  readonly range: DayRange;
}

const SPAN_OPTIONS = Object.fromEntries(Object.keys(SPAN_MONTHS).map((span) => [span, span]));

/** Chooses the days that are shown: a span up to the last quote, or explicit dates. */
export function DayRangeBar({ security, range }: DayRangeBarProps) {
  const { params } = useViewRoute();
  const span = parseSpan(params);
  const selectSpan = (key: string) =>
    updateParams({ span: key === DEFAULT_SPAN ? undefined : key, from: undefined, to: undefined });
  return (
    <div class="range-bar row">
      <SegmentedControl
        label="How far back"
        options={SPAN_OPTIONS}
        value={hasExplicitDates(params) ? '' : span}
        onChange={selectSpan}
      />
      <DayRangeForm key={`${range.from} ${range.to}`} security={security} range={range} />
      {hasExplicitDates(params) && <Button onClick={() => selectSpan(span)}>Back to {span}</Button>}
    </div>
  );
}

function DayRangeForm({ security, range }: DayRangeBarProps) {
  const [from, setFrom] = useState(range.from ?? security.firstDate);
  const [to, setTo] = useState(range.to ?? security.lastDate);
  const [error, setError] = useState(validateDayRange(range));
  const errorId = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const dates = { from: from || undefined, to: to || undefined };
    const problem =
      findIncompleteDate(event.currentTarget as HTMLFormElement) ?? validateDayRange(dates);
    setError(problem);
    if (problem === undefined) updateParams(from || to ? dates : { span: 'All', ...dates });
  };
  const inputs = [
    { text: 'From', value: from, set: setFrom },
    { text: 'To', value: to, set: setTo },
  ];
  return (
    <form class="date-inputs row" onSubmit={submit} noValidate>
      {inputs.map(({ text, value, set }) => (
        <label key={text}>
          {text}
          <input
            type="date"
            max="9999-12-31"
            value={value}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : errorId}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
      ))}
      <button type="submit">Show</button>
      {error !== undefined && (
        <p class="form-error" id={errorId} role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

/** A half-typed date has no value; the browser only reports that it is incomplete. */
function findIncompleteDate(form: HTMLFormElement): string | undefined {
  const isIncomplete = [...form.querySelectorAll('input')].some(
    ({ validity }) => validity.badInput,
  );
  return isIncomplete ? 'A day is not complete: it needs a day, a month and a year.' : undefined;
}

/** Says which quotes there are, where the chosen range has none or is none. */
export function EmptyRange({ security, range }: DayRangeBarProps) {
  const isValid = validateDayRange(range) === undefined;
  const { firstDate: from, lastDate: to } = security;
  return (
    <EmptyState title={isValid ? `No quotes ${formatDayRange(range)}` : 'There is no such range'}>
      There are quotes {formatDayRange({ from, to })}.{' '}
      <Button onClick={() => updateParams({ span: 'All', from: undefined, to: undefined })}>
        Show all of them
      </Button>
    </EmptyState>
  );
}

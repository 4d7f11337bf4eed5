import type { ComponentChildren } from 'preact';
import { Button } from '../components/button.tsx';
import { DateInput } from '../components/date-input.tsx';
import { EmptyState, QueryView, type QueryViewProps } from '../components/panel.tsx';
import { RangePicker } from '../components/range-picker.tsx';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import {
  DAY_SPANS,
  type DayRange,
  DEFAULT_SPAN,
  formatDayRange,
  parseSpan,
  validateDayRange,
} from './day-range.ts';
import type { QuotedSecurity } from './quote-fields.ts';

interface RangePanelProps<T> extends DayRangeBarProps, Omit<QueryViewProps<T>, 'subject'> {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly exported: ExportMenuProps;
  readonly controls: ComponentChildren;
}

/** Charts of the days that the visitor chooses. */
export function RangePanel<T>(props: RangePanelProps<T>) {
  const { title, security, range, query, isEmpty, exported, controls } = props;
  const isValid = validateDayRange(range) === undefined;
  return (
    <ExportPanel title={title} class="history" exported={isValid ? exported : undefined}>
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
    </ExportPanel>
  );
}

interface DayRangeBarProps {
  readonly security: QuotedSecurity;
  readonly range: DayRange;
}

/** Chooses the shown days: a span up to the last quote, or explicit dates. */
function DayRangeBar({ security, range }: DayRangeBarProps) {
  const span = parseSpan(useViewRoute().params);
  return (
    <div class="range-bar row">
      <RangePicker options={DAY_SPANS} value={span} usual={DEFAULT_SPAN} />
      <div class="date-inputs row">
        {renderDateInput('From', range.from ?? security.firstDate, (from) => ({ ...range, from }))}
        {renderDateInput('To', range.to ?? security.lastDate, (to) => ({ ...range, to }))}
      </div>
    </div>
  );
}

/** Without any days, the range is everything. */
function renderDateInput(
  label: 'From' | 'To',
  day: string,
  change: (day: string | undefined) => DayRange,
) {
  const onDay = (chosen: string) => {
    const { from, to } = change(chosen || undefined);
    updateParams(from || to ? { from, to } : { span: 'All', from, to });
  };
  return (
    <div>
      <small aria-hidden="true">{label}</small>
      <DateInput label={label} day={day} onDay={onDay} first="0001-01-01" last="9999-12-31" />
    </div>
  );
}

/** Says which quotes exist, if the chosen range is empty or invalid. */
function EmptyRange({ security, range }: DayRangeBarProps) {
  const { firstDate: from, lastDate: to } = security;
  return (
    <EmptyState title={validateDayRange(range) ?? `No quotes ${formatDayRange(range)}`}>
      There are quotes {formatDayRange({ from, to })}.{' '}
      <Button onClick={() => updateParams({ span: 'All', from: undefined, to: undefined })}>
        Show all of them
      </Button>
    </EmptyState>
  );
}

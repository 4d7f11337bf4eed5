import { useId, useRef, useState } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { ApiRequest, DatasetEntry, FieldInfo } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { SPREAD, type SpreadsByDay } from './analytics.ts';
import {
  type DateRange,
  DEFAULT_SPAN,
  formatDateRange,
  getQuotedRange,
  hasExplicitDates,
  parseSpan,
  type RangeSpan,
  SPAN_MONTHS,
  validateDateRange,
} from './date-range.ts';
import { getQuoteValue, type QuotedSecurity } from './quote.ts';
import { SecurityCharts } from './security-charts.tsx';

interface HistoryPanelProps extends SecurityQuotesProps {
  readonly range: DateRange;
  readonly corrections: readonly RevisionCorrections[];
}

export function HistoryPanel(props: HistoryPanelProps) {
  const { entry, security, range, request, query, spreads, corrections } = props;
  const { symbol, firstDate, lastDate } = security;
  const chartRef = useRef<HTMLDivElement>(null);
  const isValid = validateDateRange(range) === undefined;
  const isEmpty = query.data?.length === 0 && !query.isLoading;
  const title = `${symbol} ${formatDateRange(getQuotedRange(query.data ?? []))}`;
  const fileName = `${symbol}-quotes`;
  return (
    <Panel
      title="History"
      class="history"
      tools={isValid && <ExportMenu {...{ request, fileName }} chart={{ ref: chartRef, title }} />}
    >
      <DateRangeBar security={security} range={range} />
      <div ref={chartRef}>
        {isValid && !isEmpty ? (
          <QueryView query={query} subject="quotes">
            {(quotes) => <SecurityCharts {...{ entry, quotes, spreads, corrections }} />}
          </QueryView>
        ) : (
          <EmptyState
            title={isValid ? `No quotes ${formatDateRange(range)}` : 'There is no such range'}
          >
            There are quotes {formatDateRange({ from: firstDate, to: lastDate })}.{' '}
            <button
              type="button"
              onClick={() => updateParams({ span: 'All', from: undefined, to: undefined })}
            >
              Show all of them
            </button>
          </EmptyState>
        )}
      </div>
    </Panel>
  );
}

interface DateRangeBarProps {
  readonly security: QuotedSecurity;
  readonly range: DateRange;
}

const SPAN_OPTIONS = (Object.keys(SPAN_MONTHS) as RangeSpan[]).map((key) => ({ key, text: key }));

/** Chooses the days that are shown: a span up to the last quote, or explicit dates. */
function DateRangeBar({ security, range }: DateRangeBarProps) {
  const { params } = useViewRoute();
  const span = parseSpan(params);
  const selectSpan = (key: RangeSpan | '') =>
    updateParams({ span: key === DEFAULT_SPAN ? undefined : key, from: undefined, to: undefined });
  return (
    <div class="range-bar">
      <SegmentedControl<RangeSpan | ''>
        label="How far back"
        options={SPAN_OPTIONS}
        value={hasExplicitDates(params) ? '' : span}
        onChange={selectSpan}
      />
      <DateRangeForm key={`${range.from} ${range.to}`} security={security} range={range} />
      {hasExplicitDates(params) && (
        <button type="button" onClick={() => selectSpan(span)}>
          Back to {span}
        </button>
      )}
    </div>
  );
}

function DateRangeForm({ security, range }: DateRangeBarProps) {
  const [from, setFrom] = useState(range.from ?? security.firstDate);
  const [to, setTo] = useState(range.to ?? security.lastDate);
  const [error, setError] = useState(validateDateRange(range));
  const errorId = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const dates = { from: from || undefined, to: to || undefined };
    const problem =
      findIncompleteDate(event.currentTarget as HTMLFormElement) ?? validateDateRange(dates);
    setError(problem);
    if (problem === undefined) updateParams(from || to ? dates : { span: 'All', ...dates });
  };
  const inputs = [
    { text: 'From', value: from, set: setFrom },
    { text: 'To', value: to, set: setTo },
  ];
  return (
    <form class="date-inputs" onSubmit={submit} noValidate>
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

/** The quotes of a security over a range of days, newest first. */
interface SecurityQuotesProps {
  readonly entry: DatasetEntry;
  readonly security: QuotedSecurity;
  readonly request: ApiRequest;
  readonly query: QueryResult<readonly Quote[]>;
  readonly spreads: SpreadsByDay | undefined;
}

export function QuotesPanel(props: SecurityQuotesProps & { correctedDays: ReadonlySet<string> }) {
  const { entry, security, request, query, spreads, correctedDays } = props;
  const { params } = useViewRoute();
  // Without quotes, the history panel explains why.
  if (!query.data?.length) return null;
  const { symbol } = security;
  return (
    <Panel
      title="Quotes"
      class="quotes"
      tools={<ExportMenu request={request} fileName={`${symbol}-quotes`} />}
    >
      <QueryView query={query} subject="quotes">
        {(quotes) => (
          <DataTable
            caption={`${quotes.length} quotes of ${symbol} ${formatDateRange(getQuotedRange(quotes))}`}
            columns={createQuoteColumns(entry, correctedDays, spreads)}
            rows={quotes}
            getRowKey={({ date }) => date}
            sort={params.sort}
            onSort={(sort) => updateParams({ sort })}
            isHighlighted={({ date }) => date === params.point}
          />
        )}
      </QueryView>
    </Panel>
  );
}

/** The day, then the figures, then the texts, which are mostly the same in all rows. */
function createQuoteColumns(
  { fields }: DatasetEntry,
  correctedDays: ReadonlySet<string>,
  spreads: SpreadsByDay | undefined,
): TableColumn<Quote>[] {
  const [day, ...others] = fields;
  const { figures = [], texts = [] } = Object.groupBy(others, (field) =>
    isNumericField(field) ? 'figures' : 'texts',
  );
  const createColumn = (field: FieldInfo): TableColumn<Quote> => ({
    name: field.name,
    title: field.meaning,
    unit: getUnit(field) || undefined,
    isText: !isNumericField(field),
    renderCell: (quote) =>
      field === day && correctedDays.has(quote.date) ? (
        <>
          {formatDayLabel(quote.date)} <small class="down">corrected</small>
        </>
      ) : (
        renderQuoteCell(quote, field)
      ),
    sortValue: (quote) => getQuoteValue(quote, field) as number | string | undefined,
  });
  const spread: TableColumn<Quote> = {
    name: 'spread',
    title: SPREAD.title,
    unit: getUnit(SPREAD),
    hint: SPREAD.hint,
    renderCell: ({ date }) => formatFigure(spreads?.get(date), SPREAD),
    sortValue: ({ date }) => spreads?.get(date),
  };
  return [
    ...[...(day ? [day] : []), ...figures].map(createColumn),
    spread,
    ...texts.map(createColumn),
  ];
}

function renderQuoteCell(quote: Quote, field: FieldInfo) {
  const value = getQuoteValue(quote, field);
  if (field.kind === 'day') return formatDayLabel(String(value));
  return (
    <span title={value === undefined ? 'none' : String(value)}>{formatFigure(value, field)}</span>
  );
}

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { ApiRequest, DatasetEntry, FieldInfo } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { useColumnChoice } from '../components/column-choice.tsx';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel, QueryView } from '../components/panel.tsx';
import type { CorrectionList } from '../corrections/revision-corrections.ts';
import { createShownRequest } from '../export/create-shown-request.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatDays, formatFigure, formatQuantity, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { createAnalyticsRequest, SPREAD, type SpreadsByDay } from './analytics.ts';
import { type DayRange, formatDayRange, getQuotedRange } from './day-range.ts';
import { getQuoteValue, type SecurityProps } from './quoted-security.ts';
import { RangePanel } from './range-panel.tsx';
import { SecurityCharts } from './security-charts.tsx';

interface HistoryPanelProps extends SecurityQuotesProps {
  readonly compareBar: ComponentChildren;
  readonly range: DayRange;
  readonly corrections: CorrectionList;
}

export function HistoryPanel(props: HistoryPanelProps) {
  const { entry, security, range, request, query, spreads, corrections, compareBar } = props;
  const { symbol } = security;
  const title = `${symbol} ${formatDayRange(getQuotedRange(query.data ?? []))}`;
  return (
    <RangePanel
      {...{ security, range, query }}
      title="History"
      isEmpty={query.data?.length === 0}
      exported={{
        ...{ request, fileName: `${symbol}-quotes` },
        chart: { title, frameTitle: symbol },
        chartRequests: [request, createAnalyticsRequest([symbol], range)],
      }}
      controls={compareBar}
    >
      {(quotes) => <SecurityCharts {...{ entry, quotes, spreads, corrections }} />}
    </RangePanel>
  );
}

/** The quotes of a security over a range of days, newest first. */
interface SecurityQuotesProps extends SecurityProps {
  readonly request: ApiRequest;
  readonly query: QueryResult<readonly Quote[]>;
  readonly spreads: SpreadsByDay | undefined;
}

export function QuotesPanel(props: SecurityQuotesProps & { correctedDays: ReadonlySet<string> }) {
  const { entry, security, request, query, spreads, correctedDays } = props;
  const { params } = useViewRoute();
  const all = useMemo(
    () => createQuoteColumns(entry, correctedDays, spreads),
    [entry, query.data, spreads, correctedDays.size],
  );
  const { columns, choice } = useColumnChoice('security-quotes', all);
  const [isPrinted, setPrinted] = useState(false);
  // Without quotes, the history panel explains why.
  if (!query.data?.length) return null;
  const { symbol } = security;
  return (
    <Panel
      title="Quotes"
      class={isPrinted ? 'quotes' : 'quotes unprinted'}
      tools={
        <label class="row">
          <input
            type="checkbox"
            checked={isPrinted}
            onChange={({ currentTarget }) => setPrinted(currentTarget.checked)}
          />
          Print this table
        </label>
      }
      exported={{
        request,
        fileName: `${symbol}-quotes`,
        shownRequest: createShownRequest(request, columns, params.sort),
      }}
    >
      <QueryView query={query} subject="quotes">
        {(quotes) => (
          <DataTable
            caption={`${formatQuantity(quotes.length, 'quote')} of ${symbol} ${formatDayRange(getQuotedRange(quotes))}`}
            columns={all}
            choice={choice}
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

/** The day, then the figures by rank, then the texts, which are mostly the same in all rows. */
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
  const isMain = ({ name }: FieldInfo) => name === 'lastPrice' || name === 'ytm';
  return [
    ...[...(day ? [day] : []), ...figures.filter(isMain)].map(createColumn),
    spread,
    ...[...figures.filter((field) => !isMain(field)), ...texts].map(createColumn),
  ];
}

function renderQuoteCell(quote: Quote, field: FieldInfo) {
  const value = getQuoteValue(quote, field);
  if (field.kind === 'day') return formatDayLabel(String(value));
  return (
    <span title={value === undefined ? 'none' : String(value)}>
      {formatDays(value, field) ?? formatFigure(value, field)}
    </span>
  );
}

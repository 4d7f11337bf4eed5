import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { useColumnChoice } from '../components/column-choice.tsx';
import { DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { PrintChoice, QueryView } from '../components/panel.tsx';
import type { CorrectionList } from '../corrections/revision-corrections.ts';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatQuantity } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { createAnalyticsRequest, type SpreadsByDay } from './analytics.ts';
import { type DayRange, formatDayRange, getQuotedRange } from './day-range.ts';
import { createQuoteColumn, SPREAD_COLUMN } from './quote-columns.tsx';
import { createShownRequest, type SecurityProps, type SpreadRow } from './quote-fields.ts';
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
      security={security}
      range={range}
      query={query}
      title="History"
      isEmpty={query.data?.length === 0}
      exported={{
        request,
        fileName: `${symbol}-quotes`,
        chart: { title, frameTitle: symbol },
        chartRequests: [request, createAnalyticsRequest([symbol], range)],
      }}
      controls={compareBar}
    >
      {(quotes) => (
        <SecurityCharts entry={entry} quotes={quotes} spreads={spreads} corrections={corrections} />
      )}
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
    () => createColumns(entry, correctedDays),
    [entry, query.data, correctedDays.size],
  );
  const rows = useMemo(
    () => query.data?.map((quote) => ({ quote, spread: spreads?.get(quote.date) })),
    [query.data, spreads],
  );
  const { columns, choice } = useColumnChoice('security-quotes', all);
  // Without quotes, the history panel explains why.
  if (!rows?.length) return null;
  const { symbol } = security;
  return (
    <ExportPanel
      title="Quotes"
      class="quotes"
      tools={<PrintChoice />}
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
            rows={rows}
            getRowKey={({ quote }) => quote.date}
            sort={params.sort}
            onSort={(sort) => updateParams({ sort })}
            isHighlighted={({ quote }) => quote.date === params.point}
          />
        )}
      </QueryView>
    </ExportPanel>
  );
}

/** The day, then the figures by importance, then texts that are equal in all rows. */
const COLUMN_NAMES = [
  ...['maturityYears', 'bidPrice', 'askPrice', 'bidVolume', 'askVolume', 'volume', 'duration'],
  ...['symbol', 'isin', 'type', 'maturityDate'],
] as (keyof Quote)[];

function createColumns(
  entry: DatasetEntry,
  correctedDays: ReadonlySet<string>,
): DataTableColumn<SpreadRow>[] {
  const create = (name: keyof Quote) => createQuoteColumn(entry, name);
  const day: DataTableColumn<SpreadRow> = {
    ...create('date'),
    isText: true,
    renderCell: ({ quote: { date } }) => (
      <>
        {formatDayLabel(date)} {correctedDays.has(date) && <small class="down">corrected</small>}
      </>
    ),
  };
  return [day, create('lastPrice'), create('ytm'), SPREAD_COLUMN, ...COLUMN_NAMES.map(create)];
}

import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { ApiRequest, DatasetEntry, FieldInfo } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { QueryView } from '../components/query-view.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { formatDateRange, getQuotedRange } from './date-range.ts';
import { getQuoteValue, type SecuritySummary } from './quote.ts';

interface QuotesPanelProps {
  readonly entry: DatasetEntry;
  readonly security: SecuritySummary;
  readonly question: ApiRequest;
  readonly asked: QueryResult<readonly Quote[]>;
  /** The days whose quotes were corrected. */
  readonly corrected: ReadonlySet<string>;
}

/** The quotes of a range, newest first, with all their fields. */
export function QuotesPanel(props: QuotesPanelProps) {
  const { entry, security, question: request, asked: query, corrected } = props;
  const { params } = useViewRoute();
  const columns = useMemo(() => createQuoteColumns(entry, corrected), [entry, corrected]);
  // While there are none, the charts say why.
  if (!query.data || query.data.length === 0) return null;
  const { symbol } = security;
  return (
    <Panel
      title="Quotes"
      class="quotes"
      tools={<ExportMenu request={request} fileName={`${symbol}-quotes`} title={symbol} />}
    >
      <QueryView query={query} subject="quotes">
        {(quotes) => (
          <DataTable
            caption={`${quotes.length} quotes of ${symbol} ${formatDateRange(getQuotedRange(quotes))}`}
            columns={columns}
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

/** The day, then the figures, then what is mostly the same in all of them. */
function createQuoteColumns(
  { fields }: DatasetEntry,
  corrected: ReadonlySet<string>,
): TableColumn<Quote>[] {
  const [day, ...rest] = fields;
  const texts = rest.filter((each) => !isNumericField(each));
  const inOrder = [...rest.filter(isNumericField), ...texts];
  return [...(day ? [day] : []), ...inOrder].map((field) => ({
    name: field.name,
    title: field.meaning,
    unit: getUnit(field) || undefined,
    isText: !isNumericField(field),
    renderCell: (quote) =>
      renderQuoteCell(quote, field, field === day && corrected.has(quote.date)),
    sortValue: (quote) => getQuoteValue(quote, field) as number | string | undefined,
  }));
}

function renderQuoteCell(quote: Quote, field: FieldInfo, isCorrected: boolean) {
  const value = getQuoteValue(quote, field);
  if (isCorrected) {
    return (
      <>
        {formatDayLabel(quote.date)} <small class="down">corrected</small>
      </>
    );
  }
  if (field.kind === 'day') return formatDayLabel(String(value));
  return (
    <span title={value === undefined ? 'none' : String(value)}>{formatFigure(value, field)}</span>
  );
}

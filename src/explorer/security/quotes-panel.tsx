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

/** The quotes of a security over a range of days, newest first. */
export interface SecurityQuotesProps {
  readonly entry: DatasetEntry;
  readonly security: SecuritySummary;
  readonly request: ApiRequest;
  readonly query: QueryResult<readonly Quote[]>;
}

interface QuotesPanelProps extends SecurityQuotesProps {
  readonly correctedDays: ReadonlySet<string>;
}

/** A table of quotes with all their fields. */
export function QuotesPanel(props: QuotesPanelProps) {
  const { entry, security, request, query, correctedDays } = props;
  const { params } = useViewRoute();
  const columns = useMemo(() => createQuoteColumns(entry, correctedDays), [entry, correctedDays]);
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

/** The day, then the figures, then the texts, which are mostly the same in all rows. */
function createQuoteColumns(
  { fields }: DatasetEntry,
  correctedDays: ReadonlySet<string>,
): TableColumn<Quote>[] {
  const [day, ...others] = fields;
  const { figures = [], texts = [] } = Object.groupBy(others, (field) =>
    isNumericField(field) ? 'figures' : 'texts',
  );
  return [...(day ? [day] : []), ...figures, ...texts].map((field) => ({
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
  }));
}

function renderQuoteCell(quote: Quote, field: FieldInfo) {
  const value = getQuoteValue(quote, field);
  if (field.kind === 'day') return formatDayLabel(String(value));
  return (
    <span title={value === undefined ? 'none' : String(value)}>{formatFigure(value, field)}</span>
  );
}

import { useRef } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { Panel } from '../components/panel.tsx';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import type { RevisionCorrections } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { updateParams } from '../routing/view-route.ts';
import {
  type DateRange,
  formatDateRange,
  getQuotedRange,
  validateDateRange,
} from './date-range.ts';
import { DateRangeBar } from './date-range-bar.tsx';
import type { SecuritySummary } from './quote.ts';
import { SecurityCharts } from './security-charts.tsx';

interface HistoryPanelProps {
  readonly entry: DatasetEntry;
  readonly security: SecuritySummary;
  readonly range: DateRange;
  readonly question: ApiRequest;
  readonly asked: QueryResult<readonly Quote[]>;
  readonly amendments: readonly RevisionCorrections[];
}

/** The charts of a security over a range of days. */
export function HistoryPanel(props: HistoryPanelProps) {
  const {
    entry,
    security,
    range,
    question: request,
    asked: query,
    amendments: corrections,
  } = props;
  const picture = useRef<HTMLDivElement>(null);
  const name = `${security.symbol}-quotes`;
  const isRefused = validateDateRange(range) !== undefined;
  const title = `${security.symbol} ${formatDateRange(getQuotedRange(query.data ?? []))}`;
  return (
    <Panel
      title="Over time"
      class="history"
      tools={
        !isRefused && <ExportMenu {...{ request, fileName: name, title, chartRef: picture }} />
      }
    >
      <DateRangeBar security={security} range={range} />
      <div ref={picture}>
        {!isRefused ? (
          <QueryView query={query} subject="quotes">
            {(quotes) =>
              quotes.length === 0 && !query.isLoading ? (
                <NoQuotes security={security} range={range} />
              ) : (
                <SecurityCharts entry={entry} quotes={quotes} amendments={corrections} />
              )
            }
          </QueryView>
        ) : (
          <NoQuotes security={security} range={range} />
        )}
      </div>
    </Panel>
  );
}

function NoQuotes({ security, range }: Pick<HistoryPanelProps, 'security' | 'range'>) {
  const isRefused = validateDateRange(range) !== undefined;
  const title = isRefused ? 'There is no such range' : `No quotes ${formatDateRange(range)}`;
  const there = formatDateRange({ from: security.firstDate, to: security.lastDate });
  return (
    <EmptyState title={title}>
      There are quotes {there}.{' '}
      <button
        type="button"
        onClick={() => updateParams({ span: 'All', from: undefined, to: undefined })}
      >
        Show all of them
      </button>
    </EmptyState>
  );
}

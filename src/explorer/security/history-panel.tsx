import { useRef } from 'preact/hooks';
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
import type { SecurityQuotesProps } from './quotes-panel.tsx';
import { SecurityCharts } from './security-charts.tsx';

interface HistoryPanelProps extends SecurityQuotesProps {
  readonly range: DateRange;
  readonly corrections: readonly RevisionCorrections[];
}

/** The charts of a security over a range of days. */
export function HistoryPanel(props: HistoryPanelProps) {
  const { entry, security, range, request, query, corrections } = props;
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
            {(quotes) => <SecurityCharts {...{ entry, quotes, corrections }} />}
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

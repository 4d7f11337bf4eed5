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
  const chartRef = useRef<HTMLDivElement>(null);
  const isValid = validateDateRange(range) === undefined;
  const title = `${security.symbol} ${formatDateRange(getQuotedRange(query.data ?? []))}`;
  const fileName = `${security.symbol}-quotes`;
  return (
    <Panel
      title="History"
      class="history"
      tools={isValid && <ExportMenu {...{ request, fileName }} chart={{ ref: chartRef, title }} />}
    >
      <DateRangeBar security={security} range={range} />
      <div ref={chartRef}>
        {isValid ? (
          <QueryView query={query} subject="quotes">
            {(quotes) =>
              quotes.length === 0 && !query.isLoading ? (
                <NoQuotes {...props} title={`No quotes ${formatDateRange(range)}`} />
              ) : (
                <SecurityCharts entry={entry} quotes={quotes} corrections={corrections} />
              )
            }
          </QueryView>
        ) : (
          <NoQuotes {...props} title="There is no such range" />
        )}
      </div>
    </Panel>
  );
}

interface NoQuotesProps extends Pick<HistoryPanelProps, 'security'> {
  readonly title: string;
}

function NoQuotes({ security, title }: NoQuotesProps) {
  const { firstDate, lastDate } = security;
  return (
    <EmptyState title={title}>
      There are quotes {formatDateRange({ from: firstDate, to: lastDate })}.{' '}
      <button
        type="button"
        onClick={() => updateParams({ span: 'All', from: undefined, to: undefined })}
      >
        Show all of them
      </button>
    </EmptyState>
  );
}

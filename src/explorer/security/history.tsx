import { useRef } from 'preact/hooks';
import { updateParams } from '../address/place.ts';
import type { RevisionCorrections } from '../differences/amendments.ts';
import { Panel } from '../parts/panel.tsx';
import { EmptyState, QueryView } from '../parts/states.tsx';
import type { Quote, SecuritySummary } from '../quotes/quote.ts';
import type { ApiRequest } from '../service/api.ts';
import type { DatasetEntry } from '../service/catalogue.ts';
import type { QueryResult } from '../service/use-answer.ts';
import { ExportMenu } from '../take/take.tsx';
import { SecurityCharts } from './charts.tsx';
import { type DateRange, formatDateRange, getQuotedRange, validateDateRange } from './range.ts';
import { DateRangeBar } from './range-bar.tsx';

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
  const { entry, security, range, question, asked, amendments } = props;
  const picture = useRef<HTMLDivElement>(null);
  const name = `${security.symbol}-quotes`;
  const isRefused = validateDateRange(range) !== undefined;
  const title = `${security.symbol} ${formatDateRange(getQuotedRange(asked.data ?? []))}`;
  return (
    <Panel
      title="Over time"
      class="history"
      tools={!isRefused && <ExportMenu {...{ question, name, title, picture }} />}
    >
      <DateRangeBar security={security} range={range} />
      <div ref={picture}>
        {!isRefused ? (
          <QueryView asked={asked} what="quotes">
            {(quotes) =>
              quotes.length === 0 && !asked.isLoading ? (
                <NoQuotes security={security} range={range} />
              ) : (
                <SecurityCharts entry={entry} quotes={quotes} amendments={amendments} />
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

import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { NotesPanel } from '../components/dataset-panels.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { isInDateRange, parseDateRange, validateDateRange } from './date-range.ts';
import { HistoryPanel } from './history-panel.tsx';
import type { QuoteCorrection, SecuritySummary } from './quote.ts';
import { groupQuoteCorrections } from './quote-corrections.ts';
import { QuotesPanel } from './quotes-panel.tsx';
import { SecurityCombobox } from './security-combobox.tsx';
import { LatestQuotePanel, SecurityFactsPanel, SecuritySummaryLine } from './security-facts.tsx';

interface SecurityPageProps {
  readonly entry: DatasetEntry;
  readonly security: SecuritySummary;
  readonly securities: readonly SecuritySummary[];
}

/** A security: what it is, how it went over a range of days, and what of that was corrected. */
export function SecurityPage({ entry, security, securities }: SecurityPageProps) {
  const { params } = useViewRoute();
  const { symbol } = security;
  const range = parseDateRange(params, security);
  const question = {
    path: entry.path,
    parameters: { symbol, from: range.from, to: range.to, limit: MAX_PAGE_SIZE },
    allPages: true,
  };
  const corrected = {
    path: `/corrections/${entry.name}`,
    parameters: { symbol, limit: MAX_PAGE_SIZE },
    allPages: true,
  };
  const query = useQuery<readonly Quote[]>(
    validateDateRange(range) === undefined ? question : undefined,
    // The page keeps its height while another range is awaited.
    { keepPreviousData: true },
  );
  const corrections = useQuery<readonly QuoteCorrection[]>(corrected);
  const amendments = useMemo(
    () => groupQuoteCorrections(entry, corrections.data ?? []),
    [entry, corrections.data],
  );
  const correctedDays = useMemo(
    () => new Set(corrections.data?.map(({ old }) => old.date)),
    [corrections.data],
  );
  usePageTitle(symbol);
  const readOff = (day: string) => {
    const widened = isInDateRange(day, range)
      ? {}
      : { span: 'All', from: undefined, to: undefined };
    updateParams({ point: params.point === day ? undefined : day, ...widened });
  };
  const parts = { entry, security, range, question, asked: query };
  return (
    <div class="security-page">
      <header class="security-header">
        <div>
          <h1>{symbol}</h1>
          <SecuritySummaryLine entry={entry} security={security} />
        </div>
        <SecurityCombobox
          securities={securities}
          onChoose={(other) => updateParams({ ...RESET_PARAMS, symbol: other })}
        />
      </header>
      <LatestQuotePanel entry={entry} security={security} />
      <div class="security-columns">
        <HistoryPanel {...parts} amendments={amendments} />
        <div class="security-aside">
          <SecurityFactsPanel entry={entry} security={security} />
          <CorrectionsPanel
            name={`${symbol}-corrections`}
            question={corrected}
            asked={corrections}
            amendments={amendments}
            choice={{ chosen: params.point, onChoose: readOff }}
          />
          <NotesPanel entry={entry} />
        </div>
      </div>
      <QuotesPanel {...parts} corrected={correctedDays} />
    </div>
  );
}

/** The most that one answer holds; more are followed page by page. */
const MAX_PAGE_SIZE = 10_000;

/** What is said of one security and not of another. */
const RESET_PARAMS = { from: undefined, to: undefined, point: undefined } as const;

import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { alignedColumn } from '../api/aligned.ts';
import type { DatasetEntry } from '../api/types.ts';
import { KEEP_PREVIOUS, useQuery } from '../api/use-query.ts';
import { FactList, Panel } from '../components/panel.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { CorrectionsPanel, useCorrections } from '../corrections/corrections-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import {
  type AnalyticsRecord,
  createAnalyticsRequest,
  createQuotesRequest,
  indexSpreads,
  MAX_PAGE_SIZE,
} from './analytics.ts';
import { CashFlowsPanel } from './cash-flows-panel.tsx';
import { type DayRange, isInDayRange, parseDayRange, validateDayRange } from './day-range.ts';
import { HistoryPanel, QuotesPanel } from './history-panel.tsx';
import { NeighboursPanel } from './neighbours-panel.tsx';
import { KeyFigures, NewestFiguresPanel, useNewestFigures } from './newest-figures-panel.tsx';
import {
  formatType,
  getField,
  getQuoteValue,
  hasMatured,
  type QuotedSecurity,
  readQuoteFigures,
  type SecurityProps,
} from './quote-fields.ts';
import { SecurityCombobox } from './security-combobox.tsx';
import { MAX_COMPARED, parseCompared, rankComparable } from './security-comparison.ts';
import { SecurityComparisonPanel } from './security-comparison-panel.tsx';

export function SecurityPage(props: SecurityProps & { securities: readonly QuotedSecurity[] }) {
  const { entry, security, securities } = props;
  const { params } = useViewRoute();
  const { point } = params;
  const { symbol } = security;
  usePageTitle(symbol);
  const range = parseDayRange(params, security);
  const parameters = { symbol, limit: MAX_PAGE_SIZE };
  const correctionsQuery = useCorrections(entry, parameters, undefined, readQuoteFigures);
  const { corrections } = correctionsQuery;
  const correctedDays = new Set(
    corrections.flatMap(({ values }) => values.map(({ periodKey }) => periodKey)),
  );
  const panelProps = { entry, security, ...useSecurityQuotes(entry, symbol, range) };
  const figures = useNewestFigures({ entry, security });
  const compared = parseCompared(params.with, securities, symbol);
  const similar = useMemo(
    () => rankComparable(securities, security, entry),
    [securities, security, entry],
  );
  const compareBar = compared.length < MAX_COMPARED && (
    <SecurityCombobox
      label="Compare with"
      securities={similar.filter((each) => !compared.includes(each.symbol))}
      onSelect={(other) => updateParams({ with: [...compared, other].join() })}
    />
  );
  return (
    <div class="stack security-page">
      <header class="title-row">
        <div>
          <h1>{symbol}</h1>
          <SecurityDescription entry={entry} security={security} />
        </div>
        <SecurityCombobox
          label="Switch security"
          securities={similar}
          onSelect={(selected) => updateParams({ ...RESET_PARAMS, symbol: selected })}
        />
      </header>
      <KeyFigures entry={entry} security={security} figures={figures} />
      <div class="columns security-columns">
        {compared.length > 0 ? (
          <SecurityComparisonPanel
            entry={entry}
            security={security}
            range={range}
            compared={compared}
            compareBar={compareBar}
          />
        ) : (
          <HistoryPanel
            {...panelProps}
            range={range}
            corrections={corrections}
            compareBar={compareBar}
          />
        )}
        <div class="stack">
          <SecurityFactsPanel entry={entry} security={security} />
          {!hasMatured(security, entry) && <CashFlowsPanel symbol={symbol} />}
          <NeighboursPanel entry={entry} security={security} />
          <CorrectionsPanel
            {...correctionsQuery}
            selection={{ selected: point, onSelect: (day) => toggleDay(day, point, range) }}
            vintages={{
              path: `/vintages/${entry.name}`,
              parameters: { symbol },
              getFigure: (quote, key) =>
                getQuoteValue(quote as unknown as Quote, getField(entry, key as keyof Quote)),
            }}
          />
        </div>
      </div>
      <NewestFiguresPanel entry={entry} security={security} figures={figures} />
      <QuotesPanel {...panelProps} correctedDays={correctedDays} />
    </div>
  );
}

/** The quotes of a security over a range of days, and their spreads. */
function useSecurityQuotes(entry: DatasetEntry, symbol: string, range: DayRange) {
  const request = createQuotesRequest(entry, [symbol], range);
  const isValid = validateDayRange(range) === undefined;
  // Keeps the height of the page while another range loads.
  const query = useQuery<readonly Quote[]>(isValid ? request : undefined, KEEP_PREVIOUS);
  const { data: analytics } = useQuery<readonly AnalyticsRecord[]>(
    isValid ? createAnalyticsRequest([symbol], range) : undefined,
    KEEP_PREVIOUS,
  );
  const spreads = useMemo(() => analytics && indexSpreads(analytics), [analytics]);
  return { request, query, spreads };
}

/** Selects a day in the charts, extending their range to it, or deselects it. */
function toggleDay(day: string, selected: string | undefined, range: DayRange): void {
  const allDays = { span: 'All', from: undefined, to: undefined };
  const widened = isInDayRange(day, range) ? {} : allDays;
  updateParams({ point: selected === day ? undefined : day, ...widened });
}

/** The parameters that do not carry over to another security. */
const RESET_PARAMS = { from: undefined, to: undefined, point: undefined } as const;

/** `Government of Zedland · Bond, matures on 21 Oct 2026`; mentions the maturity only once. */
function SecurityDescription({ entry, security }: SecurityProps) {
  const { name, issuer, type, maturityDate } = security;
  const [day, isMatured] = [formatDayLabel(maturityDate), hasMatured(security, entry)];
  const term = `${formatType(type)}, ${isMatured ? 'matured' : 'matures'} on ${day}`;
  const parts = [name, issuer, !isMatured && name?.includes(day) ? null : term];
  return <p class="muted">{parts.filter(Boolean).join(' · ')}</p>;
}

/** The facts that are not in the header; unknown ones are left out. */
function SecurityFactsPanel({ entry, security }: SecurityProps) {
  const { isin, issueDate, firstDate } = security;
  const facts = {
    ISIN: isin,
    Issued: issueDate && formatDayLabel(issueDate),
    Coupon: formatCoupon(security),
    'First quote': formatDayLabel(firstDate),
  };
  const hint = getField(entry, 'isin').meaning;
  const yieldColumn = alignedColumn('quotes', 'ytm', { symbol: security.symbol });
  return (
    <Panel title="The security">
      <FactList
        facts={Object.entries(facts).flatMap(([name, value]) =>
          value === null ? [] : { name, value, ...(name === 'ISIN' && { hint }) },
        )}
      />
      <p class="help">
        <ViewLink view="payments" params={{ compare: yieldColumn.replace('.', '~') }}>
          Compare its yield with series
        </ViewLink>
      </p>
    </Panel>
  );
}

type Coupon = Pick<QuotedSecurity, 'couponRate' | 'couponFrequency' | 'floating' | 'pricing'>;

/** `12.5 % a year, twice a year, floating`; null if unknown. */
function formatCoupon({ couponRate, couponFrequency, floating, pricing }: Coupon): string | null {
  if (pricing === 'discount') return 'none: priced at a discount';
  if (pricing === 'zero') return 'none: a zero-coupon bond';
  if (couponRate === null) return floating ? 'floating' : null;
  const times = { 1: 'once', 2: 'twice', 4: 'four times', 12: 'twelve times' }[
    couponFrequency ?? 1
  ];
  const parts = [
    `${couponRate} % a year`,
    couponFrequency === null ? '' : `paid ${times} a year`,
    floating ? 'floating' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { NotesPanel } from '../components/dataset-panels.tsx';
import { FactList, Panel, QueryView } from '../components/panel.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { isInDateRange, parseDateRange, validateDateRange } from './date-range.ts';
import { HistoryPanel, QuotesPanel } from './history-panel.tsx';
import {
  formatType,
  getField,
  getQuoteValue,
  groupQuoteCorrections,
  hasMatured,
  type QuoteCorrection,
  type QuotedSecurity,
} from './quote.ts';
import { SecurityCombobox } from './security-combobox.tsx';

interface SecurityPageProps {
  readonly entry: DatasetEntry;
  readonly security: QuotedSecurity;
  readonly securities: readonly QuotedSecurity[];
}

export function SecurityPage({ entry, security, securities }: SecurityPageProps) {
  const { params } = useViewRoute();
  const { symbol } = security;
  usePageTitle(symbol);
  const range = parseDateRange(params, security);
  const request = {
    path: entry.path,
    parameters: { symbol, from: range.from, to: range.to, limit: MAX_PAGE_SIZE },
    allPages: true,
  };
  const query = useQuery<readonly Quote[]>(
    validateDateRange(range) === undefined ? request : undefined,
    // The page keeps its height while another range loads.
    { keepPreviousData: true },
  );
  const { correctedDays, ...correctionsQuery } = useQuoteCorrections(entry, symbol);
  const selectDay = (day: string) => {
    const widened = isInDateRange(day, range)
      ? {}
      : { span: 'All', from: undefined, to: undefined };
    updateParams({ point: params.point === day ? undefined : day, ...widened });
  };
  const panelProps = { entry, security, request, query };
  return (
    <div class="security-page">
      <header class="security-header">
        <div>
          <h1>{symbol}</h1>
          <p class="muted">
            {security.name === null ? '' : `${security.name} · `}
            {formatType(security.type)}, {hasMatured(security, entry) ? 'matured' : 'matures'} on{' '}
            {formatDayLabel(security.maturityDate)}
          </p>
        </div>
        <SecurityCombobox
          securities={securities}
          onSelect={(selected) => updateParams({ ...RESET_PARAMS, symbol: selected })}
        />
      </header>
      <LatestQuotePanel entry={entry} security={security} />
      <div class="security-columns">
        <HistoryPanel {...panelProps} range={range} corrections={correctionsQuery.corrections} />
        <div class="security-aside">
          <SecurityFactsPanel entry={entry} security={security} />
          <CorrectionsPanel
            {...correctionsQuery}
            selection={{ selected: params.point, onSelect: selectDay }}
          />
          <NotesPanel entry={entry} />
        </div>
      </div>
      <QuotesPanel {...panelProps} correctedDays={correctedDays} />
    </div>
  );
}

const MAX_PAGE_SIZE = 10_000;

/** The parameters that do not carry over to another security. */
const RESET_PARAMS = { from: undefined, to: undefined, point: undefined } as const;

function useQuoteCorrections(entry: DatasetEntry, symbol: string) {
  const request = {
    path: `/corrections/${entry.name}`,
    parameters: { symbol, limit: MAX_PAGE_SIZE },
    allPages: true,
  };
  const query = useQuery<readonly QuoteCorrection[]>(request);
  const corrections = useMemo(
    () => groupQuoteCorrections(entry, query.data ?? []),
    [entry, query.data],
  );
  const correctedDays = new Set(query.data?.map(({ old }) => old.date));
  return { request, query, corrections, correctedDays };
}

interface SecurityFactsProps {
  readonly entry: DatasetEntry;
  readonly security: QuotedSecurity;
}

const TILE_FIELDS = ['lastPrice', 'ytm', 'duration', 'maturityYears', 'volume'] as const;

function LatestQuotePanel({ entry, security }: SecurityFactsProps) {
  const { symbol, lastDate } = security;
  const request = { path: entry.path, parameters: { symbol } };
  const query = useQuery<readonly Quote[]>(request);
  return (
    <Panel
      title={`Newest quote, ${formatDayLabel(query.data?.[0]?.date ?? lastDate)}`}
      tools={<ExportMenu request={request} fileName={`${symbol}-newest`} />}
    >
      <QueryView query={query} subject="the newest quote">
        {([quote]) => (
          <dl class="tiles">
            {TILE_FIELDS.map((name) => {
              const field = getField(entry, name);
              const text = formatFigure(quote && getQuoteValue(quote, field), field);
              return (
                <div key={name} class="tile">
                  <dt>{field.meaning}</dt>
                  <dd>
                    <b>{text}</b> <small>{text === NO_VALUE ? 'none' : getUnit(field)}</small>
                  </dd>
                </div>
              );
            })}
          </dl>
        )}
      </QueryView>
    </Panel>
  );
}

function SecurityFactsPanel({ entry, security }: SecurityFactsProps) {
  const { symbol, isin, type, firstDate, lastDate } = security;
  const describe = (name: keyof Quote) => getField(entry, name).meaning;
  const maturity = formatDayLabel(security.maturityDate);
  return (
    <Panel title="The security">
      <FactList
        facts={[
          { name: 'Symbol', value: symbol, hint: describe('symbol') },
          { name: 'ISIN', value: isin, hint: describe('isin') },
          ...listReferenceFacts(security),
          { name: describe('type'), value: formatType(type) },
          {
            name: describe('maturityDate'),
            value: hasMatured(security, entry) ? `matured on ${maturity}` : maturity,
          },
          { name: 'First quote', value: formatDayLabel(firstDate) },
          { name: 'Last quote', value: formatDayLabel(lastDate) },
        ]}
      />
    </Panel>
  );
}

/** What reference data tells of a security; what is unknown is left out. */
function listReferenceFacts({ name, issuer, issueDate, ...terms }: QuotedSecurity) {
  const facts = { Name: name, Issuer: issuer, Issued: issueDate && formatDayLabel(issueDate) };
  return Object.entries({ ...facts, Coupon: formatCoupon(terms) }).flatMap(([fact, value]) =>
    value === null ? [] : [{ name: fact, value }],
  );
}

type Coupon = Pick<QuotedSecurity, 'couponRate' | 'couponFrequency' | 'floating' | 'pricing'>;

/** `12.5 % a year, twice a year, floating`; null where it is unknown. */
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

import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import { DataTable } from '../components/data-table.tsx';
import { FactList, QueryView } from '../components/panel.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel, formatOtherDay } from '../formatting/dates.ts';
import {
  formatDays,
  formatFigure,
  formatFigureChange,
  getShortUnit,
  NO_VALUE,
  type UnitInfo,
} from '../formatting/numbers.ts';
import {
  ANALYTICS_FIGURES,
  type AnalyticsRecord,
  createAnalyticsRequest,
  createQuotesRequest,
} from './analytics.ts';
import { buildChanges } from './build-changes.tsx';
import { getFirstComparedDay } from './period-changes.ts';
import { getField, getQuoteValue, hasMatured, type SecurityProps } from './quote-fields.ts';

type NewestFigures = ReturnType<typeof useNewestFigures>;

/** The quotes of the last year, and what follows from them. */
export function useNewestFigures({ entry, security }: SecurityProps) {
  const { symbol, lastDate } = security;
  const lastYear = { from: getFirstComparedDay(lastDate), to: undefined };
  const quotesQuery = useQuery<readonly Quote[]>(createQuotesRequest(entry, [symbol], lastYear));
  const analyticsQuery = useQuery<readonly AnalyticsRecord[]>(
    createAnalyticsRequest([symbol], lastYear),
  );
  const [quotes, analytics] = [quotesQuery.data ?? [], analyticsQuery.data ?? []];
  const changes = useMemo(
    () => buildChanges(entry, quotes, analytics),
    [entry, quotesQuery.data, analyticsQuery.data],
  );
  return { quotesQuery, analyticsQuery, changes };
}

/** The newest quote, the figures derived from it, and its changes over up to a year. */
export function NewestFiguresPanel(props: SecurityProps & { figures: NewestFigures }) {
  const { entry, security, figures } = props;
  const { symbol, lastDate } = security;
  const { quotesQuery, analyticsQuery, changes } = figures;
  const [newest] = quotesQuery.data ?? [];
  const request = { path: entry.path, parameters: { symbol } };
  return (
    <ExportPanel
      title={`Newest quote, ${formatDayLabel(newest?.date ?? lastDate)}`}
      class="newest-figures"
      exported={{ request, fileName: `${symbol}-newest` }}
    >
      <QueryView query={quotesQuery} subject="the quotes of the last year">
        {() => (
          <>
            <DataTable
              caption="Newest price, yield and spread over the government curve, with their changes"
              {...changes}
              getRowKey={({ name }) => name}
            />
            <FactList
              facts={[
                ...listQuoteFacts(entry, newest),
                ...listAnalyticsFacts(analyticsQuery, newest),
              ]}
            />
          </>
        )}
      </QueryView>
    </ExportPanel>
  );
}

/** Price, yield and spread are in the table instead. */
const QUOTE_FIGURES = ['duration', 'maturityYears', 'volume'] as const;

function listQuoteFacts(entry: DatasetEntry, quote: Quote | undefined) {
  return QUOTE_FIGURES.map((name) => {
    const field = getField(entry, name);
    const value = quote && getQuoteValue(quote, field);
    return { name: field.meaning, value: renderFigure(value, field, 'none') };
  });
}

function listAnalyticsFacts(
  { data, isLoading }: QueryResult<readonly AnalyticsRecord[]>,
  quote: Quote | undefined,
) {
  const record = data?.find(({ date }) => date === quote?.date);
  const absent = isLoading ? 'loading' : 'not known';
  return Object.entries(ANALYTICS_FIGURES).map(([key, { title, hint, ...unitInfo }]) => {
    const value = record?.[key as keyof typeof ANALYTICS_FIGURES] ?? undefined;
    return { name: title, hint, value: renderFigure(value, unitInfo, absent) };
  });
}

function renderFigure(value: unknown, unitInfo: UnitInfo, absent: string) {
  const text = formatDays(value, unitInfo);
  if (text !== undefined) return text;
  const figure = formatFigure(value, unitInfo);
  return (
    <>
      {figure} <small>{figure === NO_VALUE ? absent : getShortUnit(unitInfo)}</small>
    </>
  );
}

/** Newest price, yield and spread with their changes since the day before, and the time to maturity. */
export function KeyFigures({
  entry,
  security,
  figures,
}: SecurityProps & { figures: NewestFigures }) {
  const { rows } = figures.changes;
  const newest = figures.quotesQuery.data?.[0];
  const years = newest && formatDays(newest.maturityYears, getField(entry, 'maturityYears'));
  const facts = rows.map(({ name, hint, unitInfo, changes }) => {
    const { newest: current, earlier } = changes ?? {};
    const change = current && earlier?.day && current.value - earlier.day.value;
    return {
      name,
      hint,
      value: (
        <>
          {formatFigure(current?.value, unitInfo)} <small>{getShortUnit(unitInfo)}</small>
          {change !== undefined && earlier?.day && (
            <small class="muted">
              {formatFigureChange(change, unitInfo)} since{' '}
              {formatOtherDay(earlier.day.date, current?.date ?? '')}
            </small>
          )}
        </>
      ),
    };
  });
  const maturity = {
    name: hasMatured(security, entry) ? 'Matured' : 'Maturity',
    value: (
      <>
        {formatDayLabel(security.maturityDate)}
        <small class="muted">
          {years ??
            (newest
              ? `${formatFigure(newest.maturityYears, getField(entry, 'maturityYears'))} years`
              : '')}
        </small>
      </>
    ),
  };
  return (
    <div class="key-figures">
      <FactList facts={[...facts, maturity]} />
    </div>
  );
}

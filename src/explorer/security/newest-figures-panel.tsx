import { useMemo } from 'preact/hooks';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import { DataTable } from '../components/data-table.tsx';
import { Panel, QueryView } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import {
  formatDays,
  formatFigure,
  getShortUnit,
  NO_VALUE,
  type UnitInfo,
} from '../formatting/numbers.ts';
import {
  type AnalyticsRecord,
  createAnalyticsRequest,
  createQuotesRequest,
  TILE_FIGURES,
} from './analytics.ts';
import { buildChanges } from './build-changes.tsx';
import { getFirstComparedDay } from './period-changes.ts';
import { getField, getQuoteValue, type SecurityProps } from './quoted-security.ts';

/** The newest quote, what follows from it, and how much it has changed up to a year. */
export function NewestFiguresPanel({ entry, security }: SecurityProps) {
  const { symbol, lastDate } = security;
  const request = { path: entry.path, parameters: { symbol } };
  const lastYear = { from: getFirstComparedDay(lastDate), to: undefined };
  const quotesQuery = useQuery<readonly Quote[]>(createQuotesRequest(entry, [symbol], lastYear));
  const analyticsQuery = useQuery<readonly AnalyticsRecord[]>(
    createAnalyticsRequest([symbol], lastYear),
  );
  const [quotes, analytics] = [quotesQuery.data ?? [], analyticsQuery.data ?? []];
  const changes = useMemo(
    () => buildChanges({ entry, quotes, analytics }),
    [entry, quotesQuery.data, analyticsQuery.data],
  );
  return (
    <Panel
      title={`Newest quote, ${formatDayLabel(quotesQuery.data?.[0]?.date ?? lastDate)}`}
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
            <dl class="tiles">
              {listQuoteTiles(entry, quotes[0]).map(renderTile)}
              {listAnalyticsTiles(analyticsQuery, quotes[0]).map(renderTile)}
            </dl>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

interface FigureTile {
  readonly title: string;
  readonly hint?: string;
  readonly text: string;
  readonly unit: string;
}

/** Price, yield and spread are in the table. */
const TILE_FIELDS = ['duration', 'maturityYears', 'volume'] as const;

function listQuoteTiles(entry: DatasetEntry, quote: Quote | undefined): FigureTile[] {
  return TILE_FIELDS.map((name) => {
    const field = getField(entry, name);
    const value = quote && getQuoteValue(quote, field);
    return { title: field.meaning, ...formatTile(value, field, 'none') };
  });
}

function listAnalyticsTiles(
  { data, isLoading }: QueryResult<readonly AnalyticsRecord[]>,
  quote: Quote | undefined,
): FigureTile[] {
  const record = data?.find(({ date }) => date === quote?.date);
  const absent = isLoading ? 'loading' : 'not known';
  return Object.entries(TILE_FIGURES).map(([name, { title, hint, ...unitInfo }]) => {
    const value = record?.[name as keyof typeof TILE_FIGURES] ?? undefined;
    return { title, hint, ...formatTile(value, unitInfo, absent) };
  });
}

function formatTile(value: unknown, unitInfo: UnitInfo, absent: string) {
  const days = formatDays(value, unitInfo);
  if (days !== undefined) return { text: days, unit: '' };
  const text = formatFigure(value, unitInfo);
  return { text, unit: text === NO_VALUE ? absent : getShortUnit(unitInfo) };
}

function renderTile({ title, hint, text, unit }: FigureTile) {
  return (
    <div key={title} class="tile" title={hint}>
      <dt>{title}</dt>
      <dd>
        <b>{text}</b> <small>{unit}</small>
      </dd>
    </div>
  );
}

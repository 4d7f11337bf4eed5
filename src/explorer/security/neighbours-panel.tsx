import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { useQuery } from '../api/use-query.ts';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { Panel, QueryView } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, formatFigureChange } from '../formatting/numbers.ts';
import { ViewLink } from '../routing/view-route.tsx';
import { MAX_PAGE_SIZE } from './analytics.ts';
import { listNeighbours } from './list-neighbours.ts';
import { getField, hasYield, type SecurityProps } from './quote-fields.ts';

/** The position of a security on the curve: what matures shortly before and after it, with its yield. */
export function NeighboursPanel({ entry, security }: SecurityProps) {
  const { symbol, lastDate: date } = security;
  const request = { path: entry.path, parameters: { date, limit: MAX_PAGE_SIZE } };
  const query = useQuery<readonly Quote[]>(request);
  const yields = getField(entry, 'ytm');
  const own = query.data?.find((quote) => quote.symbol === symbol);
  const columns = [
    createTextColumn<Quote>('symbol', 'Symbol', (quote) =>
      quote === own ? (
        <b>{symbol}</b>
      ) : (
        <ViewLink view="security" params={{ symbol: quote.symbol }}>
          {quote.symbol}
        </ViewLink>
      ),
    ),
    createColumn<Quote>('maturity', 'Matures', ({ maturityDate }) => formatDayLabel(maturityDate)),
    createColumn<Quote>('ytm', 'Yield', (quote) => (
      <>
        {formatFigure(hasYield(quote) ? quote.ytm : undefined, yields)}
        {own && quote !== own && hasYield(own) && (
          <small class="previous-value">{formatFigureChange(quote.ytm - own.ytm, yields)}</small>
        )}
      </>
    )),
  ];
  return (
    <Panel title={`Neighbours on ${formatDayLabel(date)}`}>
      <QueryView query={query} subject="the quotes of the day">
        {(quotes) => (
          <>
            <DataTable
              caption={`Securities that mature next before and after ${symbol}`}
              columns={columns}
              rows={listNeighbours(quotes, symbol)}
              getRowKey={(quote) => quote.symbol}
              isHighlighted={(quote) => quote === own}
            />
            <ViewLink view="market" params={{ date }}>
              The whole curve
            </ViewLink>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

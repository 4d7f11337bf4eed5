import { useMemo } from 'preact/hooks';
import { DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { LoadingState, Panel } from '../components/panel.tsx';
import { findMovers, type QuoteRow } from './quote-rows.ts';

interface MoversPanelProps {
  readonly rows: readonly QuoteRow[];
  readonly columns: readonly DataTableColumn<QuoteRow>[];
  /** `since 29 May`. */
  readonly since: string;
  readonly isLoading: boolean;
}

/** The yields that moved most since the compared day. */
export function MoversPanel({ rows, columns, since, isLoading }: MoversPanelProps) {
  const movers = useMemo(() => findMovers(rows), [rows]);
  return (
    <Panel title={`Movers ${since}`} class="movers narrow">
      {isLoading ? (
        <LoadingState subject="the movers" />
      ) : movers.length === 0 ? (
        <p class="help">No yield with more than a month to maturity moved.</p>
      ) : (
        <>
          <DataTable
            caption={`Yields that rose and fell most ${since}`}
            columns={columns.filter(({ name }) => SHOWN_COLUMNS.includes(name))}
            rows={movers}
            getRowKey={({ quote }) => quote.symbol}
          />
          <p class="help">Up to five each way, with more than a month to maturity.</p>
        </>
      )}
    </Panel>
  );
}

const SHOWN_COLUMNS = ['symbol', 'ytm', 'ytmChange'];

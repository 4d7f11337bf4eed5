import { useMemo } from 'preact/hooks';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { LoadingState, Panel } from '../components/panel.tsx';
import { findMovers, type QuoteRow } from './quote-rows.ts';

interface MoversPanelProps {
  readonly rows: readonly QuoteRow[];
  readonly columns: readonly TableColumn<QuoteRow>[];
  /** `since 29 May`. */
  readonly since: string;
  readonly isLoading: boolean;
}

/** The yields that moved most since the compared day. */
export function MoversPanel({ rows, columns, since, isLoading }: MoversPanelProps) {
  const movers = useMemo(() => findMovers(rows), [rows]);
  const shownColumns = useMemo(
    () => columns.filter(({ name }) => SHOWN_COLUMNS.includes(name)),
    [columns],
  );
  const renderList = (verb: string, moved: readonly QuoteRow[]) =>
    moved.length === 0 ? (
      <p class="help">No yield {verb}.</p>
    ) : (
      <div>
        <h3>Yields that {verb} most</h3>
        <DataTable
          caption={`Yields that ${verb} most ${since}`}
          columns={shownColumns}
          rows={moved}
          getRowKey={({ quote }) => quote.symbol}
        />
      </div>
    );
  return (
    <Panel title={`Movers ${since}`} class="movers narrow">
      {isLoading ? (
        <LoadingState subject="the movers" />
      ) : (
        <>
          <div class="mover-lists">
            {renderList('rose', movers.risen)}
            {renderList('fell', movers.fallen)}
          </div>
          <p class="help">Without those within a month of maturity.</p>
        </>
      )}
    </Panel>
  );
}

const SHOWN_COLUMNS = ['symbol', 'ytm', 'ytmChange'];

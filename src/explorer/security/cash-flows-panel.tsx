import type { CashflowsRecord } from '../../client/generated.ts';
import { useQuery } from '../api/use-query.ts';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { QueryView } from '../components/panel.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, NO_VALUE } from '../formatting/numbers.ts';
import { addUp } from '../series/compute-changes.ts';

/** What is still paid per 100 of face value, and what it is worth by the curve. */
export function CashFlowsPanel({ symbol }: { readonly symbol: string }) {
  const request = { path: '/2.0/bnb/cashflows', parameters: { symbol } };
  const query = useQuery<readonly CashflowsRecord[]>(request);
  return (
    <ExportPanel title="Cash flows" exported={{ request, fileName: `${symbol}-cashflows` }}>
      <QueryView query={query} subject="cash flows">
        {(flows) =>
          flows.length === 0 ? (
            <p class="help">Nothing is paid any more.</p>
          ) : (
            <>
              <DataTable
                caption={`Cash flows of ${symbol}, per 100 of face value`}
                columns={COLUMNS}
                rows={flows}
                getRowKey={({ date }) => date}
              />
              <p class="help">
                Per 100 of face value. Present value of all by the government curve:{' '}
                <b>{formatAmount(addUp(flows.map(({ presentValue }) => presentValue)))}</b>.
              </p>
            </>
          )
        }
      </QueryView>
    </ExportPanel>
  );
}

const formatAmount = (value: number | null | undefined) =>
  value === null || value === undefined ? NO_VALUE : formatNumber(value, 4);

const COLUMNS = [
  createTextColumn<CashflowsRecord>('date', 'Paid on', ({ date }) => formatDayLabel(date)),
  createColumn<CashflowsRecord>('amount', 'Amount', ({ amount }) => formatAmount(amount)),
  createColumn<CashflowsRecord>('presentValue', 'Present value', ({ presentValue }) =>
    formatAmount(presentValue),
  ),
];

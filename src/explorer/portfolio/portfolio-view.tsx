import { useState } from 'preact/hooks';
import type { CashflowsRecord, PortfolioRecord } from '../../client/generated.ts';
import { useDataset } from '../api/explorer-context.ts';
import type { ApiRequest } from '../api/types.ts';
import { useQueries, useQuery } from '../api/use-query.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { FactList, Panel, QueryView } from '../components/panel.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatQuantity, formatSigned, NO_VALUE } from '../formatting/numbers.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import {
  formatPositions,
  listCashFlowRequests,
  parsePositions,
  sumCashFlows,
} from './parse-positions.ts';

const DEFAULT_SHIFTS = '-200,-100,-50,50,100,200';
/** Value, key rates, cash flows and shifts of pasted positions. */
export function PortfolioView() {
  const { positions, date, shift = DEFAULT_SHIFTS, tenors } = useViewRoute().params;
  const parameters = { positions, date, shift, key_rates: tenors };
  const request = { path: '/2.0/bnb/portfolio', parameters };
  const query = useQuery<readonly PortfolioRecord[]>(positions ? request : undefined);
  return (
    <>
      <h1>Portfolio</h1>
      <PositionsForm key={positions} positions={positions ?? ''} />
      {positions && (
        <QueryView query={query} subject="the portfolio">
          {(records) => <Valuation records={records} request={request} />}
        </QueryView>
      )}
    </>
  );
}

/** Open until positions are valued. */
function PositionsForm({ positions }: { readonly positions: string }) {
  const [text, setText] = useState(() => formatPositions(positions));
  const parsed = parsePositions(text);
  const submit = (event: Event) => {
    event.preventDefault();
    updateParams({ positions: parsed.positions.join() });
  };
  return (
    <details class="panel positions" open={positions === ''}>
      <summary>Positions</summary>
      <form onSubmit={submit}>
        <label for="positions">
          A line each: symbol or ISIN, and face value, as copied from a spreadsheet. A negative one
          is a short position.
        </label>
        <textarea
          id="positions"
          rows={8}
          autocomplete="off"
          spellcheck={false}
          placeholder={'Z05PIB151029\t1,000,000\nZZ12TB031226\t-500,000'}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <p class="help" role="status">
          {parsed.rejected.length > 0 && `Not positions: ${parsed.rejected.join('; ')}. `}
          The address of this page has the positions: share it with care.
        </p>
        <button type="submit" class="primary" disabled={parsed.positions.length === 0}>
          Value {formatQuantity(parsed.positions.length, 'position')}
        </button>
      </form>
    </details>
  );
}

function Valuation(props: { records: readonly PortfolioRecord[]; request: ApiRequest }) {
  const { records, request } = props;
  const total = records.find(({ kind }) => kind === 'total');
  const positions = records.filter((record) => record !== total);
  const exported = { request, fileName: 'portfolio' };
  if (!total) return null;
  return (
    <>
      <ExportPanel
        title={`Total, ${total.date ? formatDayLabel(total.date) : ''}`}
        exported={exported}
      >
        <FactList facts={listFacts(total)} />
        {total.reason !== null && <p class="warning">The total is {total.reason}.</p>}
      </ExportPanel>
      <div class="columns">
        <KeyRatesPanel total={total} />
        <ShiftsPanel total={total} />
      </div>
      <FlowsPanel positions={positions} />
      <Panel title={formatQuantity(positions.length, 'position')}>
        <DataTable
          caption="Positions"
          columns={POSITION_COLUMNS}
          rows={[...positions.entries()]}
          getRowKey={([index]) => String(index)}
        />
      </Panel>
    </>
  );
}

const format = (value: unknown, decimals: number) =>
  typeof value === 'number' ? formatNumber(value, decimals) : NO_VALUE;

const listFacts = (total: PortfolioRecord) => [
  { name: 'Market value', value: format(total.marketValue, 0) },
  { name: 'Accrued interest', value: format(total.accrued, 0) },
  { name: 'Face value', value: format(total.face, 0) },
  { name: 'Yield', value: `${format(total.yield, 3)} %` },
  { name: 'Modified duration', value: `${format(total.modifiedDuration, 3)} years` },
  { name: 'Effective duration', value: `${format(total.effectiveDuration, 3)} years` },
  { name: 'DV01', value: format(total.dv01, 2) },
  { name: 'Convexity', value: `${format(total.convexity, 2)} years²` },
];

interface BarsProps {
  readonly names: readonly string[];
  /** What the names are, in files. */
  readonly keyName: string;
  readonly unit: string;
  readonly label: string;
  readonly decimals: number;
  readonly lines: readonly {
    readonly name: string;
    readonly values: readonly (number | undefined)[];
  }[];
}

function Bars(props: BarsProps) {
  const { names, unit, keyName, label, decimals, lines } = props;
  const colored = lines.map((line, index) => ({ ...line, colorIndex: index + 1 }));
  return (
    <figure class="chart-figure">
      {lines.length > 1 && <Legend items={colored} />}
      <LineChart
        label={label}
        xs={[...names.keys()]}
        labels={names}
        unit={unit}
        keyName={keyName}
        yTitle={unit}
        lines={colored}
        layout="columns"
        ticks={(from, to) =>
          names.map((name, value) => ({ value, label: name })).slice(Math.ceil(from), to + 1)
        }
        getPointLabel={(index) => names[index] ?? ''}
        format={(value) => formatNumber(value, decimals)}
        height={260}
      />
    </figure>
  );
}

function KeyRatesPanel({ total }: { readonly total: PortfolioRecord }) {
  const names = Object.keys(total.keyRates);
  const values = names.map((name) => (total.keyRates[name] as number | null) ?? undefined);
  const title = 'Key-rate durations';
  return (
    <ExportPanel title={title} exported={{ fileName: 'key-rates', chart: { title } }}>
      <Bars
        label={title}
        unit="years"
        keyName="tenor"
        decimals={3}
        names={names}
        lines={[{ name: 'Duration', values }]}
      />
      <p class="help">Together they are the effective duration.</p>
    </ExportPanel>
  );
}

function ShiftsPanel({ total }: { readonly total: PortfolioRecord }) {
  const { marketValue, values } = total;
  const change = (value: unknown) => (Number(value) || NaN) - (marketValue ?? NaN);
  type Shift = readonly [shift: string, value: unknown];
  const columns = [
    createTextColumn<Shift>(
      'shift',
      'Shift',
      ([shift]) => `${formatSigned(Number.parseFloat(shift), 0)} bp`,
    ),
    createColumn<Shift>('value', 'Market value', ([, value]) => format(value, 0)),
    createColumn<Shift>('change', 'Change', ([, value]) =>
      Number.isNaN(change(value)) ? (
        NO_VALUE
      ) : (
        <>
          {formatSigned(change(value), 0)}
          <small class="previous-value">
            {formatSigned((change(value) / Math.abs(marketValue ?? NaN)) * 100, 2)} %
          </small>
        </>
      ),
    ),
  ];
  const rows = Object.entries(values).toSorted(
    ([a], [b]) => Number.parseFloat(a) - Number.parseFloat(b),
  );
  return (
    <Panel title="If all zero rates shift">
      <DataTable
        caption="Values by shift"
        columns={columns}
        rows={rows}
        getRowKey={([key]) => key}
      />
    </Panel>
  );
}

function FlowsPanel({ positions }: { readonly positions: readonly PortfolioRecord[] }) {
  const { coverage } = useDataset('quotes');
  const { date } = useViewRoute().params;
  const valuedOn = date ?? coverage.last ?? '';
  const faces = new Map<string, number>();
  for (const { symbol, face } of positions)
    faces.set(symbol ?? '', (faces.get(symbol ?? '') ?? 0) + face);
  const requests = listCashFlowRequests(positions, date !== undefined);
  const query = useQueries<readonly CashflowsRecord[]>(requests);
  const { rows, unknownCount } = sumCashFlows(query.data?.flat() ?? [], faces, valuedOn);
  const title = 'Cash flows by year';
  const names = rows.map(({ year }) => year);
  if (requests.length === 0) return null;
  return (
    <ExportPanel title={title} exported={{ fileName: 'cash-flows', chart: { title } }}>
      <QueryView query={query} subject="cash flows">
        {() => (
          <Bars
            label={title}
            unit="currency of the positions"
            keyName="year"
            decimals={0}
            names={names}
            lines={[
              { name: 'Principal', values: rows.map(({ principal }) => principal) },
              { name: 'Interest', values: rows.map(({ coupon }) => coupon) },
            ]}
          />
        )}
      </QueryView>
      {unknownCount > 0 && (
        <p class="help">
          {formatQuantity(unknownCount, 'coupon')} of floaters or without terms are not known.
        </p>
      )}
    </ExportPanel>
  );
}

type Row = readonly [index: number, position: PortfolioRecord];

const createFigureColumn = (name: keyof PortfolioRecord, title: string, decimals: number) =>
  createColumn<Row>(name, title, ([, position]) => format(position[name], decimals));

const POSITION_COLUMNS = [
  createTextColumn<Row>('symbol', 'Security', ([, { symbol, isin, name, reason }]) => (
    <>
      {isin === null ? (
        symbol
      ) : (
        <ViewLink view="security" params={{ symbol: symbol ?? '' }}>
          {symbol}
        </ViewLink>
      )}
      <small class="previous-value">{reason ?? name}</small>
    </>
  )),
  createFigureColumn('face', 'Face value', 0),
  createFigureColumn('cleanPrice', 'Clean price', 4),
  createFigureColumn('marketValue', 'Market value', 0),
  createFigureColumn('yield', 'Yield', 3),
  createFigureColumn('effectiveDuration', 'Effective duration', 3),
  createFigureColumn('dv01', 'DV01', 2),
];

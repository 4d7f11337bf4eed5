import { useState } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { useQuery } from '../api/use-query.ts';
import { LineChart } from '../charts/line-chart.tsx';
import type { CreateTicks } from '../charts/ticks.ts';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { QueryView } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { formatDayLabel, formatInstantLabel } from '../formatting/dates.ts';
import { formatExact, getUnit, toDisplayUnit } from '../formatting/numbers.ts';
import type { CorrectedValue } from './revision-corrections.ts';
import {
  type FigureState,
  getSeriesFigure,
  listFigureStates,
  type PublishedState,
  type VintageSource,
} from './vintages.ts';

const MAX_STATES = 10_000;

interface VintageDetailsProps {
  readonly changes: readonly CorrectedValue[];
  readonly source: VintageSource;
}

/** The revisions of a figure in a corrected record, requested when opened. */
export function VintageDetails({ changes, source }: VintageDetailsProps) {
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState('');
  const figures = changes.filter(({ old, new: current }) => typeof (current ?? old) === 'number');
  const figure = figures.find((each) => each.key === key) ?? figures[0];
  const period = { from: figure?.periodKey, to: figure?.periodKey, limit: MAX_STATES };
  const { path, parameters, getFigure = getSeriesFigure } = source;
  const query = useQuery<readonly PublishedState[]>(
    isOpen ? { path, parameters: { ...parameters, ...period } } : undefined,
  );
  if (!figure) return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How {figure.period} was revised</summary>
      {figures.length > 1 && (
        <Select
          label="Figure"
          options={figures.map((each) => ({ key: each.key, text: each.title }))}
          value={figure.key}
          onChange={setKey}
        />
      )}
      {isOpen && (
        <QueryView query={query} subject="its history">
          {(vintages) => (
            <FigureHistory
              figure={figure}
              states={listFigureStates(vintages, (record) => getFigure(record, figure.key))}
            />
          )}
        </QueryView>
      )}
    </details>
  );
}

/** A step for each state, which lasts until the next one or until the instant of the page. */
function FigureHistory(props: { figure: CorrectedValue; states: readonly FigureState[] }) {
  const { figure, states } = props;
  const { title, period, unitInfo } = figure;
  const { api, revisions } = useExplorer();
  const publishedAt = api.asOf ?? revisions[0]?.publishedAt ?? '';
  const points = [...states, { label: 'Still so', publishedAt, value: states.at(-1)?.value }];
  const line = {
    name: title,
    colorIndex: 1,
    isStepped: true,
    values: points.map(({ value }) => value && toDisplayUnit(value, unitInfo)),
    marks: new Set([...states.keys()].slice(1)),
  };
  const name = `${title} of ${period} by publication`;
  const formatState = (state: FigureState) =>
    `${state.label}, ${formatInstantLabel(state.publishedAt)}`;
  const formatValue = ({ value }: FigureState) => formatExact(value, unitInfo);
  return (
    <>
      <LineChart
        label={name}
        lines={[line]}
        yTitle={getUnit(unitInfo)}
        layout="lines"
        height={150}
        xs={points.map((point) => Date.parse(point.publishedAt))}
        ticks={createEndTicks}
        format={(value) => formatExact(value, { kind: 'number', unit: null })}
        getPointLabel={(index) => formatState(points[index] as FigureState)}
      />
      <p class="help">The dot marks the first release, rings mark later ones.</p>
      <DataTable
        caption={name}
        columns={[
          createTextColumn('state', 'Published', formatState),
          createColumn('figure', 'Figure', formatValue),
        ]}
        rows={states}
        getRowKey={formatState}
      />
    </>
  );
}

/** The days of the first and the last publication, however far apart. */
const createEndTicks: CreateTicks = (from, to) =>
  [...new Set([from, to])].map((value) => ({
    value,
    label: formatDayLabel(new Date(value).toISOString().slice(0, 10)),
  }));

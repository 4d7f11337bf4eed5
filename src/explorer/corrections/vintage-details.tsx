import { useMemo, useState } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { useQuery } from '../api/use-query.ts';
import { LineChart } from '../charts/line-chart.tsx';
import type { CreateTicks } from '../charts/ticks.ts';
import { createColumn, createTextColumn, DataTable } from '../components/data-table.tsx';
import { QueryView } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { formatDayLabel, formatInstantLabel } from '../formatting/dates.ts';
import { formatExact, getUnit, toDisplayUnit } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';
import type { CorrectedValue } from './revision-corrections.ts';
import {
  type FigureState,
  listFigureStates,
  type Vintage,
  type VintageSource,
} from './vintages.ts';

interface VintageDetailsProps {
  /** The corrected figures of one record, of which there is at least one. */
  readonly figures: readonly CorrectedValue[];
  readonly source: VintageSource;
}

/** How a figure of a corrected record was revised, requested when it is opened. */
export function VintageDetails(props: VintageDetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="vintages" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How {props.figures[0]?.period} was revised</summary>
      {isOpen && <VintageHistory {...props} />}
    </details>
  );
}

function VintageHistory({ figures, source }: VintageDetailsProps) {
  const [key, setKey] = useState(figures[0]?.key);
  const figure = figures.find((each) => each.key === key) ?? (figures[0] as CorrectedValue);
  const query = useQuery<readonly Vintage[]>(source.createRequest(figure.periodKey));
  return (
    <>
      {figures.length > 1 && (
        <Select
          label="Figure"
          options={figures.map((each) => ({ key: each.key, text: each.title }))}
          value={figure.key}
          onChange={setKey}
        />
      )}
      <QueryView query={query} subject="its history">
        {(vintages) => (
          <FigureHistory
            figure={figure}
            states={listFigureStates(vintages, (record) => source.getFigure(record, figure.key))}
          />
        )}
      </QueryView>
    </>
  );
}

interface FigureHistoryProps {
  readonly figure: CorrectedValue;
  readonly states: readonly FigureState[];
}

/** A step for each state, which lasts until the next one or the instant that the page shows. */
function FigureHistory({ figure: { title, period, unitInfo }, states }: FigureHistoryProps) {
  const { api, revisions } = useExplorer();
  const shownAt = api.asOf ?? revisions[0]?.publishedAt ?? '';
  const { xs, lines, labels } = useMemo(() => {
    const last = states.at(-1);
    const lasts = last && Date.parse(shownAt) > Date.parse(last.publishedAt);
    const points = lasts ? [...states, { ...last, publishedAt: shownAt }] : states;
    const values = points.map(({ value }) => value && toDisplayUnit(value, unitInfo));
    const texts = points.map(({ value }) => formatExact(value, unitInfo));
    const marks = new Set([...states.keys()].slice(1));
    return {
      xs: points.map(({ publishedAt }) => Date.parse(publishedAt)),
      lines: [{ name: title, colorIndex: 1, values, texts, marks, isStepped: true }],
      labels: points.map((_, index) => describeState(states, index, shownAt)),
    };
  }, [states.map(({ value }) => value).join(), title, shownAt]);
  const unit = getUnit(unitInfo);
  const name = `${title} of ${period}`;
  return (
    <>
      <LineChart
        {...{ xs, lines }}
        label={`${name} by publication${unit && `, ${unit}`}`}
        layout="lines"
        ticks={createEndTicks}
        format={String}
        getPointLabel={(index) => labels[index] ?? ''}
        yTitle={unit}
        height={150}
      />
      <p class="help">The dot is the first release, a ring what came later.</p>
      <DataTable
        caption={`${name}, by publication`}
        columns={[
          createTextColumn<FigureState>('state', 'Published', renderPublication),
          createColumn<FigureState>('figure', 'Figure', ({ value, isWithdrawal }) =>
            isWithdrawal ? 'withdrawn' : formatExact(value, unitInfo),
          ),
        ]}
        rows={states}
        getRowKey={({ revision }) => String(revision)}
      />
    </>
  );
}

function describeState(states: readonly FigureState[], index: number, shownAt: string): string {
  const [previous, state] = [states[index - 1], states[index]];
  if (!state) return `As of ${formatInstantLabel(shownAt)}`;
  const later = previous?.isWithdrawal ? 'Published again' : 'Corrected';
  const kind = state.isWithdrawal ? 'Withdrawn' : previous ? later : 'First release';
  return `${kind} in revision ${state.revision}, ${formatInstantLabel(state.publishedAt)}`;
}

function renderPublication({ revision, publishedAt }: FigureState) {
  return (
    <>
      {formatInstantLabel(publishedAt)}{' '}
      <small>
        <Link view="ledger" params={{ revision: String(revision) }}>
          Revision {revision}
        </Link>
      </small>
    </>
  );
}

/** The days of the first and the last publication, however far apart these are. */
const createEndTicks: CreateTicks = (from, to) =>
  [...new Set([from, to])].map((value) => ({
    value,
    label: formatDayLabel(new Date(value).toISOString().slice(0, 10)),
  }));

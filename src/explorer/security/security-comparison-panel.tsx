import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type AlignedRow, createAlignedRequest } from '../api/aligned.ts';
import { KEEP_PREVIOUS, useQuery } from '../api/use-query.ts';
import type { Comparison } from '../comparison/build-comparison.ts';
import { ComparisonCharts } from '../comparison/comparison-charts.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { formatFigureChange, NO_VALUE } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { type DayRange, formatDayRange, validateDayRange } from './day-range.ts';
import type { SecurityProps } from './quote-fields.ts';
import { RangePanel } from './range-panel.tsx';
import {
  type ComparisonMeasure,
  compareSecurities,
  listComparedFigures,
  MEASURES,
} from './security-comparison.ts';

interface SecurityComparisonPanelProps extends SecurityProps {
  readonly range: DayRange;
  /** The symbols of the other securities. */
  readonly compared: readonly string[];
  readonly compareBar: ComponentChildren;
}

/** Several securities on one chart, by price, yield, spread, or price rebased to 100. */
export function SecurityComparisonPanel(props: SecurityComparisonPanelProps) {
  const { entry, security, range, compared, compareBar } = props;
  const measure = parseOption(MEASURES, useViewRoute().params.measure);
  const symbols = [security.symbol, ...compared];
  // The other lines end with the security of the page, which may have matured.
  const bounded = { ...range, to: range.to ?? security.lastDate };
  const isValid = validateDayRange(range) === undefined;
  const figures = useMemo(
    () => listComparedFigures(entry, measure, symbols),
    [entry, measure, symbols.join()],
  );
  const request = createAlignedRequest(
    figures.flatMap(({ columns }) => columns),
    bounded,
  );
  const { data: rows, ...query } = useQuery<readonly AlignedRow[]>(
    isValid ? { ...request, allPages: true } : undefined,
    KEEP_PREVIOUS,
  );
  const data = useMemo(() => {
    // The previous rows may be of another measure.
    const isOther = rows?.[0] && !Object.hasOwn(rows[0], figures[0]?.columns[0] ?? '');
    return rows && !isOther ? compareSecurities(figures, rows) : undefined;
  }, [figures, rows]);
  const days = data?.labels ?? [];
  const frameTitle = `${symbols.join(', ')}: ${MEASURES[measure]}`;
  return (
    <RangePanel
      security={security}
      range={range}
      query={{ ...query, data, meta: undefined }}
      title="Comparison"
      isEmpty={data !== undefined && days.length === 0}
      exported={{
        request,
        fileName: `${symbols.join('-')}-${measure}`,
        chart: {
          title: `${frameTitle} ${formatDayRange({ from: days[0], to: days.at(-1) })}`,
          frameTitle,
          frameParams: { symbol: security.symbol, with: compared.join() },
        },
      }}
      controls={
        <>
          {compareBar}
          <SegmentedControl
            label="What is compared"
            options={MEASURES}
            value={measure}
            param="measure"
          />
        </>
      }
    >
      {(comparison) => <SecurityComparison comparison={comparison} measure={measure} />}
    </RangePanel>
  );
}

/** The charts of compared securities, which the visitor can remove and zoom into. */
export function SecurityComparison(props: { comparison: Comparison; measure: ComparisonMeasure }) {
  const { comparison, measure } = props;
  const { labels, components } = comparison;
  return (
    <ComparisonCharts
      comparison={comparison}
      mode={measure === 'rebased' ? measure : 'amounts'}
      change={{
        title: 'Over the range',
        render({ values, unitInfo }, newest) {
          const first = values.find((value) => value !== undefined) ?? 0;
          const change = (values[newest] ?? NaN) - first;
          return Number.isNaN(change) ? NO_VALUE : formatFigureChange(change, unitInfo);
        },
      }}
      remove={(removed) => {
        const others = components.filter(({ key, isFixed }) => !isFixed && key !== removed.key);
        return { with: others.map(({ key }) => key).join() };
      }}
      onRangeSelect={(from, to) => updateParams({ from: labels[from], to: labels[to] })}
    />
  );
}

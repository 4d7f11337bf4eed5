import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { KEEP_PREVIOUS, useQuery } from '../api/use-query.ts';
import type { Comparison } from '../comparison/build-comparison.ts';
import { ComparisonCharts } from '../comparison/comparison-charts.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { formatFigureChange, NO_VALUE } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { ANALYTICS_REQUEST, createAnalyticsRequest, createQuotesRequest } from './analytics.ts';
import { type DayRange, formatDayRange, validateDayRange } from './day-range.ts';
import type { SecurityProps } from './quote-fields.ts';
import { RangePanel } from './range-panel.tsx';
import {
  type ComparedRow,
  type ComparisonMeasure,
  compareSecurities,
  createComparisonRequest,
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
  const isSpread = measure === 'spread';
  const tableRequest = createComparisonRequest(symbols, bounded);
  const isValid = validateDayRange(range) === undefined;
  const table = useQuery<readonly ComparedRow[]>(isValid ? tableRequest : undefined, KEEP_PREVIOUS);
  const analytics = useQuery<readonly ComparedRow[]>(
    isValid && isSpread ? createAnalyticsRequest(symbols, bounded) : undefined,
    KEEP_PREVIOUS,
  );
  const { data: rows, ...query } = isSpread ? analytics : table;
  const data = useMemo(
    () => rows && compareSecurities(entry, measure, symbols, rows),
    [entry, rows, measure, symbols.join()],
  );
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
        // A download is a single page.
        request: isSpread ? createQuotesRequest(ANALYTICS_REQUEST, symbols, bounded) : tableRequest,
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

interface SecurityComparisonProps {
  readonly comparison: Comparison;
  readonly measure: ComparisonMeasure;
}

/** The charts of compared securities, which the visitor can remove and zoom into. */
export function SecurityComparison({ comparison, measure }: SecurityComparisonProps) {
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

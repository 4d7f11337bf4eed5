import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AlignedRow } from '../api/aligned.ts';
import { KEEP_PREVIOUS, useQuery } from '../api/use-query.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { useViewRoute } from '../routing/view-route.tsx';
import {
  ANALYTICS,
  type AnalyticsRecord,
  createAnalyticsRequest,
  createQuotesRequest,
} from './analytics.ts';
import { type DayRange, formatDayRange, validateDayRange } from './day-range.ts';
import type { SecurityProps } from './quoted-security.ts';
import { RangePanel } from './range-panel.tsx';
import {
  alignSpreads,
  buildSecurityComparison,
  createComparisonRequest,
  MEASURES,
  parseMeasure,
} from './security-comparison.ts';
import { SecurityComparisonCharts } from './security-comparison-charts.tsx';

interface SecurityComparisonPanelProps extends SecurityProps {
  readonly range: DayRange;
  /** The symbols of the other securities. */
  readonly compared: readonly string[];
  readonly compareBar: ComponentChildren;
}

/** Several securities on one chart, by price, yield, spread, or price rebased to 100. */
export function SecurityComparisonPanel(props: SecurityComparisonPanelProps) {
  const { entry, security, range, compared, compareBar } = props;
  const measure = parseMeasure(useViewRoute().params.measure);
  const symbols = [security.symbol, ...compared];
  const { request, query } = useComparedValues(props, symbols);
  const { data: comparison } = query;
  const name = MEASURES[measure];
  const days = comparison?.days ?? [];
  const title = `${symbols.join(', ')}: ${name} ${formatDayRange({ from: days[0], to: days.at(-1) })}`;
  return (
    <RangePanel
      {...{ security, range, query }}
      title="Comparison"
      isEmpty={comparison?.days.length === 0}
      exported={{
        request,
        fileName: `${symbols.join('-')}-${measure}`,
        chart: {
          title,
          frameTitle: `${symbols.join(', ')}: ${name}`,
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
      {(data) => <SecurityComparisonCharts {...{ entry, measure }} comparison={data} />}
    </RangePanel>
  );
}

/** The lines of the chosen measure, and the request that their figures come from. */
function useComparedValues(
  { security, range }: SecurityComparisonPanelProps,
  symbols: readonly string[],
) {
  // The others end where the security of the page does, which may have matured.
  const bounded = { ...range, to: range.to ?? security.lastDate };
  const measure = parseMeasure(useViewRoute().params.measure);
  const isValid = validateDayRange(range) === undefined;
  const isSpread = measure === 'spread';
  const tableRequest = createComparisonRequest(symbols, bounded);
  const tableQuery = useQuery<readonly AlignedRow[]>(
    isValid && !isSpread ? tableRequest : undefined,
    KEEP_PREVIOUS,
  );
  const spreadsQuery = useQuery<readonly AnalyticsRecord[]>(
    isValid && isSpread ? createAnalyticsRequest(symbols, bounded) : undefined,
    KEEP_PREVIOUS,
  );
  const query = isSpread ? spreadsQuery : tableQuery;
  const data = useMemo(() => {
    const rows = isSpread ? spreadsQuery.data && alignSpreads(spreadsQuery.data) : tableQuery.data;
    return rows && buildSecurityComparison(measure, symbols, rows);
  }, [query.data, measure, symbols.join()]);
  return {
    // A download is one page.
    request: isSpread ? createQuotesRequest(ANALYTICS, symbols, bounded) : tableRequest,
    query: { ...query, data, meta: undefined },
  };
}

import { useMemo } from 'preact/hooks';
import type { AlignedRow } from '../api/aligned.ts';
import type { DatasetEntry } from '../api/types.ts';
import { EmptyState } from '../components/panel.tsx';
import { chooseSeries } from '../datasets/choose-series.ts';
import { SeriesChartPanel } from '../datasets/series-chart-panel.tsx';
import { listComparable, parseFigureReferences } from '../datasets/series-comparison.ts';
import { SeriesComparisonPanel } from '../datasets/series-comparison-panel.tsx';
import { AllocationPanel } from '../funds/fund-detail.tsx';
import { createFundViewOptions } from '../funds/fund-series.ts';
import { KEY_RATES } from '../market/key-rates.ts';
import { createQuoteFilter, parseMarketFilters } from '../market/market-filters.ts';
import { RateHistoryChart } from '../market/rate-history-panel.tsx';
import { YieldCurvePanel } from '../market/yield-curve-panel.tsx';
import { parseOption } from '../routing/parse-option.ts';
import { useViewRoute } from '../routing/view-route.tsx';
import { indexSpreads } from '../security/analytics.ts';
import { SecurityCharts } from '../security/security-charts.tsx';
import {
  compareSecurities,
  listComparedFigures,
  MEASURES,
} from '../security/security-comparison.ts';
import { SecurityComparison } from '../security/security-comparison-panel.tsx';
import type { LinkedData } from './read-links.ts';

interface EmbeddedChartProps {
  readonly entries: readonly DatasetEntry[];
  readonly linked: LinkedData;
}

/** The chart of the view in the URL. */
export function EmbeddedChart({ entries, linked }: EmbeddedChartProps) {
  const { view, params } = useViewRoute();
  const quotesEntry = entries.find(({ shape }) => shape === 'quotes');
  const fundEntry = entries.find(({ shape }) => shape === 'fund');
  const seriesEntry = entries.find(({ name }) => name === params.series);
  if (view === 'payments' && seriesEntry && linked.records.length > 0) {
    const chosen = chooseSeries(seriesEntry, linked.records, params);
    return <SeriesChartPanel {...chosen} request={{ path: seriesEntry.path }} corrections={NONE} />;
  }
  if (view === 'payments' && params.compare) return <EmbeddedComparison entries={entries} />;
  const [record] = linked.funds;
  if (view === 'funds' && fundEntry && record) {
    const options = createFundViewOptions(fundEntry, [record], (id) => id);
    return <AllocationPanel title="Allocation" record={record} options={options} />;
  }
  if (view === 'market' && quotesEntry && linked.quotes.length > 0)
    return <EmbeddedCurve entry={quotesEntry} linked={linked} />;
  if (view === 'market' && linked.curves.length > 0) return <EmbeddedRates linked={linked} />;
  const hasHistory = linked.quotes.length + linked.analytics.length + linked.records.length > 0;
  if (view === 'security' && quotesEntry && hasHistory)
    return <EmbeddedHistory entry={quotesEntry} linked={linked} />;
  return (
    <EmptyState title="The links serve no data for this chart">
      Create them with the commands that the explorer shows for this chart.
    </EmptyState>
  );
}

const NONE: readonly [] = [];

function EmbeddedComparison({ entries }: Pick<EmbeddedChartProps, 'entries'>) {
  const { compare } = useViewRoute().params;
  const names = useMemo(() => parseFigureReferences(compare), [compare]);
  return <SeriesComparisonPanel entries={listComparable(entries)} names={names} />;
}

interface LinkedChartProps {
  readonly entry: DatasetEntry;
  readonly linked: LinkedData;
}

function EmbeddedCurve({ entry, linked }: LinkedChartProps) {
  const { params } = useViewRoute();
  const { rate } = parseMarketFilters(params);
  const day = useMemo(() => {
    const { quotes, curves } = linked;
    const isShown = createQuoteFilter(parseMarketFilters(params));
    return {
      date: quotes[0]?.date ?? '',
      quotes,
      curves: Object.fromEntries(curves.map((curve) => [curve.market, curve])),
      filteredQuotes: quotes.filter(isShown),
    };
  }, [linked, params]);
  return (
    <YieldCurvePanel
      entry={entry}
      day={day}
      compared={NONE}
      exported={{ request: { path: entry.path } }}
      rate={rate}
    />
  );
}

/** A rate or a slope over time, from the curves of many days. */
function EmbeddedRates({ linked }: Pick<LinkedChartProps, 'linked'>) {
  const { historyKey, rate } = parseMarketFilters(useViewRoute().params);
  const keyRate = KEY_RATES.find(({ key }) => key === historyKey);
  if (!keyRate) return null;
  return <RateHistoryChart keyRate={keyRate} rate={rate} curves={linked.curves} />;
}

function EmbeddedHistory({ entry, linked: { quotes, analytics, records } }: LinkedChartProps) {
  const { params } = useViewRoute();
  const measure = parseOption(MEASURES, params.measure);
  const spreads = useMemo(() => indexSpreads(analytics), [analytics]);
  const symbols = [params.symbol ?? '', ...(params.with ?? '').split(',')];
  return (
    <div class="panel">
      {params.with === undefined ? (
        <SecurityCharts entry={entry} quotes={quotes} spreads={spreads} corrections={NONE} />
      ) : (
        <SecurityComparison
          measure={measure}
          comparison={compareSecurities(
            listComparedFigures(entry, measure, symbols),
            records as AlignedRow[],
          )}
        />
      )}
    </div>
  );
}

import type { SeriesData } from './series-data.ts';

/** What is drawn: amounts, shares of the total, or changes on the year. */
export type ChartMode = 'amounts' | 'share' | 'change';

/** The modes that make sense for a series, the default first. */
export function getChartModes({ kind, total }: SeriesData): ChartMode[] {
  return kind === 'lines' || !total ? ['amounts', 'change'] : ['amounts', 'share', 'change'];
}

export function getModeTitle(mode: ChartMode, { kind }: SeriesData): string {
  if (mode === 'amounts') return kind === 'shares' ? 'Shares' : 'Amounts';
  return mode === 'share' ? 'Share of total' : 'Year-on-year change';
}

/** What is drawn, in a sentence or two. */
export function describeChart(mode: ChartMode, series: SeriesData, isScaleShared: boolean): string {
  const scale = isScaleShared
    ? 'All charts share one scale.'
    : 'Each chart has its own scale: compare shapes, not heights.';
  return `${describeMode(mode, series)}${series.kind === 'multiples' ? ` ${scale}` : ''}`;
}

function describeMode(mode: ChartMode, { kind, total, periodNoun }: SeriesData): string {
  if (mode === 'change') {
    const unit = kind === 'shares' ? 'percentage points (pp)' : 'percent';
    return `Each ${periodNoun} against the same one a year before, in ${unit}.`;
  }
  if (mode === 'share') {
    return total?.isComputed
      ? 'Percent of the sum of the components, computed by the page.'
      : `Percent of the total: ${total?.title}.`;
  }
  if (kind === 'stacked') {
    return total?.isComputed
      ? 'Stacked; the top line is the sum, computed by the page.'
      : 'Stacked; the tooltip of a point shows the total.';
  }
  return kind === 'shares' ? 'Stacked shares, up to 100 %.' : '';
}

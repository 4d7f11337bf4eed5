import type { SeriesData } from './series-data.ts';

/** What is drawn of the figures. */
export type ChartMode = 'amounts' | 'share' | 'change';

/** The modes that make sense for a series, the usual one first. */
export function getChartModes({ kind, total, periodsPerYear }: SeriesData): ChartMode[] {
  const change: ChartMode[] = periodsPerYear === undefined ? [] : ['change'];
  const isOfWhole = kind !== 'lines' && total !== undefined;
  return ['amounts', ...(isOfWhole ? ['share' as const] : []), ...change];
}

/** What the modes are called. */
export function getModeTitle(mode: ChartMode, { kind }: SeriesData): string {
  if (mode === 'amounts') return kind === 'shares' ? 'Shares' : 'Amounts';
  return mode === 'share' ? 'Share of the whole' : 'Change on the year';
}

/** What is drawn, in a sentence or two. */
export function describeChart(mode: ChartMode, series: SeriesData, isShared: boolean): string {
  const scale = isShared
    ? 'All charts share one scale.'
    : 'Each chart has a scale of its own: compare shapes, not heights.';
  return `${describeMode(mode, series)}${series.kind === 'multiples' ? ` ${scale}` : ''}`;
}

function describeMode(mode: ChartMode, { kind, total, periodNoun }: SeriesData): string {
  if (mode === 'change') {
    const by = kind === 'shares' ? 'percentage points (pp)' : 'percent';
    return `Each ${periodNoun} against the same one a year before, in ${by}.`;
  }
  if (mode === 'share') {
    return total?.isComputed
      ? 'Percent of the sum of the parts, which is computed here.'
      : `Percent of the total: ${total?.title}.`;
  }
  if (kind === 'stacked') {
    return total?.isComputed
      ? 'The parts stand one upon the other: the top is their sum, which is computed here.'
      : 'The parts stand one upon the other. The total is told where a point is read off.';
  }
  if (kind === 'shares') return 'The shares stand one upon the other, to 100 %.';
  return '';
}

import type { MetricFamily, MetricLabels, MetricSample } from './metric-family.ts';

/** The media type of Prometheus' text format. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in Prometheus' text format. Metrics without values are omitted. */
export function formatMetrics(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map((family) => {
      const { name, help, type, samples } = family;
      const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
      return head + samples.map((sample) => formatSample(family, sample)).join('');
    })
    .join('');
}

function formatSample({ name, bounds }: MetricFamily, { labels, values }: MetricSample): string {
  if (!bounds) return formatLine(name, labels, values[0] ?? Number.NaN);
  let count = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
    count += values[index] ?? 0;
    return formatLine(`${name}_bucket`, { ...labels, le: formatNumber(bound) }, count);
  });
  const sum = values[bounds.length + 1] ?? 0;
  return [
    ...buckets,
    formatLine(`${name}_sum`, labels, sum),
    formatLine(`${name}_count`, labels, count),
  ].join('');
}

function formatLine(name: string, labels: MetricLabels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([key, text]) => `${key}="${escapeHelp(text).replaceAll('"', '\\"')}"`,
  );
  const suffix = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  return `${name}${suffix} ${formatNumber(value)}\n`;
}

function formatNumber(value: number): string {
  return Math.abs(value) === Number.POSITIVE_INFINITY
    ? `${value > 0 ? '+' : '-'}Inf`
    : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

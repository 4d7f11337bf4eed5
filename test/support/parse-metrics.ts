/** A line of Prometheus' text format. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly samples: ParsedSample[];
}

const SAMPLE_LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[-+.\de]+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y;

/** Parses a whole scrape; throws where a line is no sample of the family before it. */
export function parseMetrics(text: string): ParsedFamily[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, ParsedFamily>();
  let help: string | undefined;
  let family: ParsedFamily | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') help = name;
    else if (keyword === 'TYPE') {
      if (help !== name || families.has(name)) throw new Error(`out of order: ${line}`);
      family = { name, type: rest, samples: [] };
      families.set(name, family);
    } else {
      const sample = parseSample(line);
      if (!family || !belongsTo(family, sample)) throw new Error(`without its type: ${line}`);
      family.samples.push(sample);
    }
  }
  return [...families.values()];
}

function parseSample(line: string): ParsedSample {
  const [matched, name = '', labels = '', value = ''] = SAMPLE_LINE.exec(line) ?? [];
  if (matched === undefined) throw new Error(`no sample: ${line}`);
  const parsed: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labels.length) {
    const pair = LABEL.exec(labels);
    if (!pair) throw new Error(`bad labels: ${line}`);
    parsed[pair[1] ?? ''] = JSON.parse(`"${pair[2]}"`);
  }
  return { name, labels: parsed, value: Number(value.replace('Inf', 'Infinity')) };
}

function belongsTo({ name, type }: ParsedFamily, sample: ParsedSample): boolean {
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  return suffixes.some((suffix) => sample.name === name + suffix);
}

/** The value of one series; undefined where there is none. */
export function findValue(
  families: readonly ParsedFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const samples = families.flatMap((family) => family.samples);
  return samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;
}

/** What is wrong with the histograms of a scrape: buckets that fall, or counts that differ. */
export function findHistogramFaults(families: readonly ParsedFamily[]): string[] {
  return families
    .filter(({ type }) => type === 'histogram')
    .flatMap(({ name, samples }) => {
      const counts = samples.filter((sample) => sample.name === `${name}_count`);
      return counts.flatMap(({ labels, value: count }) => {
        const buckets = samples.filter((sample) => {
          const { le, ...others } = sample.labels;
          return le !== undefined && JSON.stringify(others) === JSON.stringify(labels);
        });
        const values = buckets.map(({ value }) => value);
        const isCumulative = values.every((value, index) => value >= (values[index - 1] ?? 0));
        const last = buckets.at(-1);
        const isComplete = last?.labels.le === '+Inf' && last.value === count;
        return isCumulative && isComplete ? [] : [`${name} ${JSON.stringify(labels)}`];
      });
    });
}

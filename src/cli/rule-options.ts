import type { Dataset } from '../catalogue/model/dataset.ts';
import type { LoadOptions } from '../publish/load/load-files.ts';
import type { Mapping } from '../publish/mapping/mapping.ts';
import { isWarningRule, listApplicableRules } from '../publish/quality/applicable-rules.ts';
import { isRefusalRule, REFUSAL_RULES } from '../publish/quality/refusal-rules.ts';
import { WARNING_RULES } from '../publish/quality/warning-rules.ts';
import { type CommandCall, UsageError } from './command.ts';
import { formatSuggestion } from './format-suggestion.ts';

type RuleLists = Required<Pick<Mapping, 'mute' | 'refuse'>>;

/** The rules that are muted or refused: those of the mapping, overridden by the options of the call. */
export function parseRuleOptions(call: CommandCall, mapping: Mapping, dataset: Dataset): RuleLists {
  const ofMapping = { mute: mapping.mute ?? [], refuse: mapping.refuse ?? [] };
  const ofCall = { mute: call.getAll('mute'), refuse: call.getAll('refuse') };
  const file = call.options.mapping ?? call.options.adapter;
  assertRules(ofMapping, dataset, (key) => `${file}: "${key}"`);
  assertRules(ofCall, dataset, (key) => `--${key}`);
  const merge = (key: keyof RuleLists, opposite: keyof RuleLists) => [
    ...new Set([
      ...ofMapping[key].filter((rule) => !ofCall[opposite].includes(rule)),
      ...ofCall[key],
    ]),
  ];
  return { mute: merge('mute', 'refuse'), refuse: merge('refuse', 'mute') };
}

/** Rejects unknown rules, rules that cannot apply to the dataset, and contradictions. */
function assertRules(
  lists: RuleLists,
  dataset: Dataset,
  formatKey: (key: keyof RuleLists) => string,
): void {
  for (const key of ['mute', 'refuse'] as const) {
    const [problem] = lists[key].flatMap((rule) => explainRule(rule, dataset) ?? []);
    if (problem !== undefined) throw new UsageError(`${formatKey(key)}: ${problem}`);
  }
  const contradiction = lists.mute.find((rule) => lists.refuse.includes(rule));
  if (contradiction !== undefined)
    throw new UsageError(
      `${formatKey('mute')} and ${formatKey('refuse')} both name ${contradiction}; a rule is muted or refused`,
    );
}

/** Why a rule can be neither muted nor refused; undefined if it can. */
function explainRule(rule: string, dataset: Dataset): string | undefined {
  if (isRefusalRule(rule))
    return `${rule} is refused unless ${REFUSAL_RULES[rule].option} is given; it never warns`;
  const suggestion = formatSuggestion(rule, Object.keys(WARNING_RULES));
  if (!isWarningRule(rule))
    return `"${rule}" is not a warning rule${suggestion}; docs/reference/warnings.md lists them`;
  const applicable = listApplicableRules(dataset);
  return applicable.includes(rule)
    ? undefined
    : `${rule} has no effect, because it never warns about ${dataset.name}; the rules that do are ${applicable.join(', ')}`;
}

type LimitOptions = Pick<
  LoadOptions,
  'allowsFuture' | 'allowsEmpty' | 'canRelabel' | 'canRetireMany' | 'canCorrectMany' | 'isPartial'
>;

/** The options that allow what a load rejects by default; rejected if they have no effect. */
export function parseLimitOptions({ options }: CommandCall, dataset: Dataset): LimitOptions {
  const { future, relabel, replace, 'retire-many': retireMany } = options;
  if (future !== undefined && future !== 'allow') throw new UsageError('--future must be allow');
  // Rows of SDMX-CSV may delete as well.
  if (retireMany && !replace && dataset.shape !== 'series')
    throw new UsageError('--retire-many has no effect without --replace, which alone retires');
  for (const [name, rule] of [
    ['future', 'future-date'],
    ['correct-many', 'corrects-many'],
    ['relabel', 'relabels-years'],
    ['partial', 'lacks-many'],
  ] as const) {
    if (options[name] !== undefined && !REFUSAL_RULES[rule].appliesTo(dataset))
      throw new UsageError(`--${name} has no effect on ${dataset.name}: ${rule} does not apply`);
  }
  return {
    allowsFuture: future === 'allow',
    allowsEmpty: options['allow-empty'] === true,
    canRelabel: relabel === true,
    canRetireMany: retireMany === true,
    canCorrectMany: options['correct-many'] === true,
    isPartial: options.partial === true,
  };
}

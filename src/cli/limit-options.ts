import type { Dataset } from '../catalogue/model/dataset.ts';
import type { LoadOptions } from '../publish/load/load-files.ts';
import { REFUSAL_RULES } from '../publish/quality/refusal-rules.ts';
import { type CommandCall, UsageError } from './command.ts';

export type LimitOptions = Pick<
  LoadOptions,
  'allowsFuture' | 'canRelabel' | 'canRetireMany' | 'canCorrectMany'
>;

/** The options that allow what a load rejects by default; rejected where they allow nothing. */
export function parseLimitOptions({ options }: CommandCall, dataset: Dataset): LimitOptions {
  const {
    future,
    relabel,
    replace,
    'retire-many': retireMany,
    'correct-many': correctMany,
  } = options;
  if (future !== undefined && future !== 'allow') throw new UsageError('--future must be allow');
  if (retireMany && !replace)
    throw new UsageError('--retire-many has no effect without --replace, which alone retires');
  if (relabel && dataset.period?.kind.name !== 'annual')
    throw new UsageError(
      `--relabel has no effect on ${dataset.name}: only years have labels of two kinds`,
    );
  for (const [name, rule] of [
    ['future', 'future-date'],
    ['correct-many', 'corrects-many'],
  ] as const) {
    if (options[name] !== undefined && !REFUSAL_RULES[rule].appliesTo(dataset))
      throw new UsageError(`--${name} has no effect on ${dataset.name}: ${rule} does not apply`);
  }
  return {
    allowsFuture: future === 'allow',
    canRelabel: relabel === true,
    canRetireMany: retireMany === true,
    canCorrectMany: correctMany === true,
  };
}

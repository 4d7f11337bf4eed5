import type { Dataset } from '../../catalogue/dataset.ts';
import type { RepresentationName } from '../../catalogue/representation.ts';
import { refuse } from '../failures.ts';
import type { Service } from '../needs.ts';
import type { Plan } from '../request/plan.ts';
import type { Answer } from './answer.ts';
import { refusalAnswer } from './answer.ts';
import { dataAnswer } from './data-answer.ts';
import { pageLinks } from './links.ts';

/** What a request wants of a dataset. */
export interface Wanted {
  readonly dataset: Dataset;
  /** To the letter. */
  readonly target: string;
  readonly plan: Plan;
  readonly form: RepresentationName;
  /** Whether it is to be told how many records match in all. */
  readonly counted: boolean;
}

/** What an answer is remembered under. No target has a space, so none is taken for another. */
export function keyOf({ target, form, counted }: Omit<Wanted, 'plan' | 'dataset'>): string {
  if (form === 'json' && !counted) return target;
  return `${target} ${form}${counted ? ' counted' : ''}`;
}

/**
 * An answer, read and made anew: as the data stands, or as it stood at a revision. A walk stays
 * with the revision that it began with; one that is asked for at an earlier one is refused.
 */
export async function made(service: Service, wanted: Wanted, at?: number): Promise<Answer> {
  const { dataset, target, plan, form, counted } = wanted;
  const { asOf = at } = plan.selection;
  if (at !== undefined && asOf !== undefined && at < asOf) return LATER_CURSOR;
  const lines = form !== 'json';
  const past = asOf === undefined ? {} : { asOf };
  const reading = await service.reader.read({ ...plan.selection, lines, counted, ...past });
  const modified = await service.changed(dataset.name, reading.revision);
  const links = pageLinks(target, plan, reading, service.cursors);
  return dataAnswer({ origin: dataset, reading, form, modified, links });
}

const LATER_CURSOR = refusalAnswer(refuse('later_cursor'));

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
 * An answer, read and made anew: as the data stands, or as it stood at a revision. Other forms than
 * JSON wait for their turn; another request may have made the same one until then.
 */
export function made(service: Service, wanted: Wanted, at?: number): Promise<Answer> {
  return inItsTurn(service, wanted.form, async () => {
    const known = at === undefined ? service.memory.get(keyOf(wanted)) : undefined;
    return known ?? read(service, wanted, at);
  });
}

/** Makes an answer in a form: JSON at once, the others a few at a time. */
export function inItsTurn(
  { making }: Pick<Service, 'making'>,
  form: RepresentationName,
  make: () => Promise<Answer>,
): Promise<Answer> {
  return form === 'json' ? make() : making(make);
}

/** A walk stays with the revision that it began with; at an earlier one it is refused. */
async function read(service: Service, wanted: Wanted, at?: number): Promise<Answer> {
  const { dataset, target, plan, form, counted } = wanted;
  const { selection } = plan;
  const { asOf = at } = selection;
  if (at !== undefined && asOf !== undefined && at < asOf) return LATER_CURSOR;
  const lines = form !== 'json';
  const past = asOf === undefined ? {} : { asOf };
  const found = await service.reader.read({ ...selection, lines, ...past });
  const total = counted ? await service.totals(selection, found.revision) : undefined;
  const reading = total === undefined ? found : { ...found, total };
  const modified = await service.changed(dataset.name, reading.revision);
  const links = pageLinks(target, plan, reading, service.cursors);
  return dataAnswer({ origin: dataset, reading, form, modified, links });
}

const LATER_CURSOR = refusalAnswer(refuse('later_cursor'));

import { chooseStatus } from '../catalogue/model/observation-status.ts';
import type { FileCell, FileItem } from '../formats/read-contents.ts';
import type { Fail } from './csv-columns.ts';

export type RowAction = 'merge' | 'replace' | 'delete';

/** What a row says of a figure. */
export interface Observation {
  readonly position: number;
  /** The period and the values of dimensions; in a row that deletes, a blank stands for all. */
  readonly key: readonly string[];
  /** Blank in a row that deletes all figures. */
  readonly measure: string;
  readonly action: RowAction;
  /** Undefined if the row leaves it as it is. */
  readonly figure: FileCell | undefined;
  readonly status: string | undefined;
}

/** The rows of each record, in the order of the file; those that delete several records are in each of them. */
export class RecordRows {
  readonly #records = new Map<string, Observation[]>();
  readonly #wildcards: Observation[] = [];

  get hasWildcards(): boolean {
    return this.#wildcards.length > 0;
  }

  add(observation: Observation): void {
    const { key } = observation;
    if (observation.action !== 'delete' || !key.includes('')) {
      this.#getRows(key).push(observation);
      return;
    }
    this.#wildcards.push(observation);
    for (const rows of this.#records.values())
      if (matches(observation, rows[0]?.key ?? [])) rows.push(observation);
  }

  /** Adds a current record if a row deletes it that names several. */
  addDeleted(key: readonly string[]): void {
    if (this.#wildcards.some((each) => matches(each, key))) this.#getRows(key);
  }

  list(): Iterable<readonly Observation[]> {
    return this.#records.values();
  }

  #getRows(key: readonly string[]): Observation[] {
    return this.#records.getOrInsertComputed(key.join('\0'), () =>
      this.#wildcards.filter((each) => matches(each, key)).map((each) => ({ ...each, key })),
    );
  }
}

function matches({ key }: Observation, values: readonly string[]): boolean {
  return key.every((value, index) => value === '' || value === values[index]);
}

/** The change that the rows of one record make, one after the other. */
export function toItem(
  rows: readonly Observation[],
  names: readonly string[],
  fail: Fail,
): FileItem {
  const figures = new Map<string, FileCell>();
  const blanked = new Set<string>();
  const statuses = new Map<string, string>();
  let base: 'current' | 'replaced' | 'deleted' = 'current';
  let isDeletion = false;
  const clear = () => {
    for (const each of [figures, blanked, statuses]) each.clear();
  };
  for (const { position, key, measure, action, figure, status } of rows) {
    if (action === 'delete') {
      isDeletion = true;
      if (measure === '') {
        clear();
        base = 'deleted';
        continue;
      }
      figures.delete(measure);
      statuses.delete(measure);
      blanked.add(measure);
      continue;
    }
    if (action === 'replace' && base !== 'replaced') {
      clear();
      base = 'replaced';
    }
    if (status !== undefined) statuses.set(measure, status);
    if (figure === undefined) continue;
    if (figures.has(measure)) fail(position, `${measure} of ${key[0]} is given again`);
    figures.delete(measure);
    blanked.delete(measure);
    const isBlank = /^(NaN)?$/.test(String(figure ?? '').trim());
    // A list does not have its blank parts.
    if (isBlank && measure.includes('.')) blanked.add(measure);
    else figures.set(measure, isBlank ? '' : figure);
  }
  const [{ position, key }] = rows as readonly [Observation];
  const marks = [...statuses.values()];
  const unknown = marks.find((mark) => mark !== 'A' && !chooseStatus([mark]));
  const status = statuses.size > 0 && [['status', unknown ?? chooseStatus(marks) ?? ''] as const];
  const cells = [...names.map((name, index) => [name, key[index] ?? ''] as const), ...figures];
  const all = status ? [...cells, ...status] : cells;
  return {
    position,
    names: all.map(([name]) => name),
    value: all.map(([, cell]) => cell),
    change: { isMerge: base === 'current', isDeletion, blanked, statuses },
  };
}

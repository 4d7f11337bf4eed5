import { amountIn } from '../../catalogue/field.ts';
import { FileRefused } from '../../formats/index.ts';
import type { Habits } from '../cells/index.ts';
import { converter } from '../cells/index.ts';
import type { Column, Get } from './made.ts';
import { columnsIn, makerOf, NoSuchColumn } from './made.ts';
import type { Made, Mapping } from './mapping.ts';
import { loosely, noFigure, noTarget, placesOf, spellings } from './names.ts';
import type { Sources, WhyBlank } from './sources.ts';
import { sourceFinder } from './sources.ts';
import type { Targets } from './targets.ts';

/** How a row becomes a record: what each field is read from. */
export interface Plan extends Sources {
  /** Columns that nothing is read from. */
  readonly unknown: readonly string[];
  /** Columns that hold a field which the mapping makes as well. */
  readonly doubled: readonly { readonly column: string; readonly field: string }[];
  /** Columns that the mapping names and that are not there. */
  readonly absent: readonly string[];
  /** Columns that the mapping makes fields from and that are not there. */
  readonly unmade: readonly string[];
  /** Places of columns without a name, where nothing may stand. */
  readonly unnamed: readonly number[];
  /** How many columns are known by name. */
  readonly known: number;
}

/** Columns that cannot be read in one way only: two of them for one field. */
export class PlanRefused extends FileRefused {}

/** Columns of other files, and facts about the file itself, by their names in a mapping. */
export interface Elsewhere {
  /** The source of a name; undefined where there is none of it. */
  column(name: string, column: Column): Get | undefined;
  /** What to say where a made field is blank; undefined where nothing comes from another file. */
  whyBlank(made: Made, column: Column): WhyBlank | undefined;
}

/**
 * Makes plans for one dataset and one mapping: from the names of a file's columns to what is read
 * from them.
 */
export function planner(
  targets: Targets,
  mapping: Mapping,
  habits: Habits,
  elsewhere: Elsewhere,
): (columns: readonly string[]) => Plan {
  refuseStrangers(targets, mapping);
  const sort = sorter(targets, mapping);
  const make = maker(mapping, habits, elsewhere);
  const find = sourceFinder(targets, mapping, habits);
  const wanted = Object.entries(mapping.columns ?? {}).flatMap(([name, target]) =>
    target === null ? [] : [name],
  );
  return (columns) => {
    const places = placesOf(columns);
    const { gets: held, ...sorted } = sort(columns);
    const { gets: made, whys, unmade } = make(places);
    return {
      ...find({ gets: new Map([...held, ...made]), whys }),
      ...sorted,
      ...(mapping.otherColumns === 'ignore' && { unknown: [], doubled: [], unnamed: [] }),
      unmade,
      absent: wanted.filter((name) => places(name) === undefined),
    };
  };
}

function refuseStrangers(targets: Targets, mapping: Mapping): void {
  const strange = noTarget(targets, mapping);
  if (strange !== undefined) {
    const names = [...targets.fields.keys()].join(', ');
    throw new FileRefused(`the mapping names "${strange}", which is no field; there are ${names}`);
  }
  const figureless = noFigure(targets, mapping);
  if (figureless !== undefined) {
    const advice = 'of a list, name the parts: LIST.KEY or LIST:value';
    throw new FileRefused(`the mapping scales "${figureless}", which is no number; ${advice}`);
  }
}

/** What the columns of a file hold by themselves, or by what the mapping says of them. */
interface Sorted extends Pick<Plan, 'unknown' | 'doubled' | 'unnamed' | 'known'> {
  readonly gets: ReadonlyMap<string, Get>;
}

function sorter(targets: Targets, mapping: Mapping): (columns: readonly string[]) => Sorted {
  const spelled = spellings(targets);
  const mapped = new Map(
    Object.entries(mapping.columns ?? {}).map(([name, target]) => [loosely(name), target]),
  );
  const used = usedIn(mapping);
  const targetOf = (name: string) => {
    const explicit = mapped.get(loosely(name));
    return explicit === undefined ? spelled(name) : explicit;
  };
  return (columns) => {
    const gets = new Map<string, Get>();
    const names = new Map<string, string>();
    const unknown: string[] = [];
    const doubled: { column: string; field: string }[] = [];
    const unnamed: number[] = [];
    let known = 0;
    for (const [place, name] of columns.entries()) {
      const target = targetOf(name);
      const isUsed = used.has(loosely(name));
      if (target !== undefined || isUsed) known++;
      if (target === null) continue;
      if (target === undefined) {
        if (name === '') unnamed.push(place);
        else if (!isUsed) unknown.push(name);
      } else if (Object.hasOwn(mapping.fields ?? {}, target)) {
        if (!isUsed) doubled.push({ column: name, field: target });
      } else {
        const other = names.get(target);
        if (other !== undefined) {
          throw new PlanRefused(`two columns hold ${target}: "${other}" and "${name}"`);
        }
        names.set(target, name);
        gets.set(target, (cells) => cells[place]);
      }
    }
    return { gets, unknown, doubled, unnamed, known };
  };
}

/** The columns that a mapping makes something from, by their loose names. */
function usedIn({ fields = {}, lookup }: Mapping): ReadonlySet<string> {
  const names = Object.values(fields).flatMap(columnsIn);
  return new Set([...names, ...columnsIn(lookup?.by ?? '')].map(loosely));
}

/** The fields that the mapping makes, from where the columns of a file are. */
function maker(mapping: Mapping, habits: Habits, elsewhere: Elsewhere) {
  const toNumber = converter(amountIn('any unit')('A figure'), habits);
  return (places: ReturnType<typeof placesOf>) => {
    const column: Column = (name) => {
      const place = places(name);
      if (place === undefined) return elsewhere.column(name, column);
      if (place === 'twice') throw new PlanRefused(`two columns are called "${name}"`);
      return (cells) => cells[place];
    };
    const gets = new Map<string, Get>();
    const whys = new Map<string, WhyBlank>();
    const unmade = new Set<string>();
    for (const [target, from] of Object.entries(mapping.fields ?? {})) {
      try {
        gets.set(target, makerOf(from, column, toNumber));
        const why = elsewhere.whyBlank(from, column);
        if (why) whys.set(target, why);
      } catch (cause) {
        // A row that is no header lacks most of them: what is told is told of the best row.
        if (!(cause instanceof NoSuchColumn)) throw cause;
        unmade.add(cause.column);
      }
    }
    return { gets, whys, unmade: [...unmade] };
  };
}

import type { DatasetEntry, FieldInfo, JsonRecord } from '../api/types.ts';
import type { BreakdownComponent } from './component.ts';
import type { Timeline } from './timeline.ts';

/** A figure of one record. */
interface RecordFigure extends Omit<BreakdownComponent, 'values'> {
  readonly value: number;
}

/** Every figure of a record, in the order of its fields; lists are spread by their keys. */
export function extractFigures(
  entry: Pick<DatasetEntry, 'fields'>,
  record: JsonRecord,
): RecordFigure[] {
  return entry.fields.flatMap((field): RecordFigure[] => {
    const held = record[field.name];
    if (typeof held === 'number') return [{ ...describeField(field), value: held }];
    return Array.isArray(held) ? expandKeyedList(field, held) : [];
  });
}

/** Every part of a series: what its records have figures for, those of the newest one first. */
export function extractComponents(
  entry: Pick<DatasetEntry, 'fields'>,
  { records }: Pick<Timeline, 'records'>,
): BreakdownComponent[] {
  const components = new Map<
    string,
    Omit<BreakdownComponent, 'values'> & { values: (number | undefined)[] }
  >();
  for (const [index, record] of [...records.entries()].reverse()) {
    for (const { value, ...figure } of record ? extractFigures(entry, record) : []) {
      const part = components.get(figure.key) ?? {
        ...figure,
        values: records.map(() => undefined),
      };
      part.values[index] = value;
      components.set(figure.key, part);
    }
  }
  const order = entry.fields.map(({ name }) => name);
  const all = [...components.values()].map(unifyDecimals);
  return disambiguateTitles(
    all.sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field)),
  );
}

/** All amounts of a part have as many decimals as one another. */
function unifyDecimals(component: BreakdownComponent): BreakdownComponent {
  const { kind, unit } = component.measure;
  if (kind !== 'amount') return component;
  const isWhole = component.values.every((value) => value === undefined || Number.isInteger(value));
  return { ...component, measure: { kind: isWhole ? 'count' : 'numbers', unit } };
}

function describeField(field: FieldInfo): Omit<BreakdownComponent, 'values'> {
  const { name, meaning } = field;
  return { key: name, title: meaning, hint: name, field: name, measure: field };
}

/** A list whose entries have a key and a value, as lists of series do. */
function expandKeyedList(field: FieldInfo, list: readonly JsonRecord[]): RecordFigure[] {
  const measure = field.fields?.find(({ name }) => name === 'value');
  if (!measure) return [];
  return list.flatMap(({ key, value }) => {
    if (typeof value !== 'number') return [];
    return [{ key: `${field.name}.${key}`, title: String(key), field: field.name, measure, value }];
  });
}

/** Two parts that are called the same are told apart by what the API calls them. */
function disambiguateTitles(components: readonly BreakdownComponent[]): BreakdownComponent[] {
  return components.map((component) => {
    const isAlone = components.filter(({ title }) => title === component.title).length === 1;
    return isAlone ? component : { ...component, title: `${component.title} (${component.key})` };
  });
}

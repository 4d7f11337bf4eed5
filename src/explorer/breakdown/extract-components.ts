import type { DatasetEntry, FieldInfo, JsonRecord } from '../api/types.ts';
import type { BreakdownComponent } from './component.ts';
import type { Timeline } from './timeline.ts';

type ComponentInfo = Omit<BreakdownComponent, 'values'>;

/** The components of a series: what its records have figures for, those of the newest first. */
export function extractComponents(
  { fields }: Pick<DatasetEntry, 'fields'>,
  { records }: Pick<Timeline, 'records'>,
): BreakdownComponent[] {
  const components = new Map<string, ComponentInfo & { values: (number | undefined)[] }>();
  for (const [index, record] of [...records.entries()].reverse()) {
    for (const { value, ...info } of record ? extractFigures(fields, record) : []) {
      const component = components.get(info.key) ?? {
        ...info,
        values: records.map(() => undefined),
      };
      component.values[index] = value;
      components.set(info.key, component);
    }
  }
  const inFieldOrder = fields.flatMap(({ name }) =>
    [...components.values()].filter(({ field }) => field === name),
  );
  return disambiguateTitles(inFieldOrder.map(unifyDecimals));
}

/** The figures of a record; those of a list by key. */
function extractFigures(fields: readonly FieldInfo[], record: JsonRecord) {
  return fields.flatMap((field): (ComponentInfo & { value: number })[] => {
    const { name, meaning } = field;
    const value = record[name];
    if (typeof value === 'number') {
      return [{ key: name, title: meaning, hint: name, field: name, unitInfo: field, value }];
    }
    const unitInfo = field.fields?.find((inner) => inner.name === 'value');
    if (!unitInfo || !Array.isArray(value)) return [];
    return value.flatMap((element) => {
      if (typeof element.value !== 'number') return [];
      const title = String(element.key);
      return { key: `${name}.${title}`, title, field: name, unitInfo, value: element.value };
    });
  });
}

/** All amounts of a component have the same number of decimals. */
function unifyDecimals(component: BreakdownComponent): BreakdownComponent {
  const { kind, unit } = component.unitInfo;
  if (kind !== 'amount') return component;
  const isInteger = component.values.every((value) => Number.isInteger(value ?? 0));
  return { ...component, unitInfo: { kind: isInteger ? 'count' : 'numbers', unit } };
}

/** Appends the key to titles that occur twice. */
function disambiguateTitles(components: readonly BreakdownComponent[]): BreakdownComponent[] {
  return components.map((component) => {
    const isUnique = components.filter(({ title }) => title === component.title).length === 1;
    return isUnique ? component : { ...component, title: `${component.title} (${component.key})` };
  });
}

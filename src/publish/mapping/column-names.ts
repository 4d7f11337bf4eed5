import type { FieldTargets } from './field-targets.ts';
import type { Mapping } from './mapping.ts';

/** Names are compared without letter case, spaces and underscores: `Bid Price` is `bidPrice`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\u00a0]+/g, '');
}

/** Where a column is, by its name: exactly, else loosely; `twice` where two have the name. */
export function createColumnIndex(
  columns: readonly string[],
): (name: string) => number | 'twice' | undefined {
  const exact = indexNames(columns);
  const loose = indexNames(columns.map(normalizeName));
  return (name) => exact.get(name) ?? loose.get(normalizeName(name));
}

function indexNames(names: readonly string[]): ReadonlyMap<string, number | 'twice'> {
  const places = new Map<string, number | 'twice'>();
  for (const [index, name] of names.entries()) places.set(name, places.has(name) ? 'twice' : index);
  return places;
}

/** The target that a column's own name says; undefined where it says none. */
export function createTargetResolver({
  fields,
  lists,
}: FieldTargets): (name: string) => string | undefined {
  const names = [
    ...fields.keys(),
    ...[...lists.keys()].flatMap((list) => [`${list}:key`, `${list}:value`]),
  ];
  const byName = new Map(names.map((name) => [normalizeName(name), name]));
  // The long form of funds is often headed just so.
  if (fields.has('class')) byName.set('fund', 'fund_id');
  return (name) => {
    const whole = byName.get(normalizeName(name));
    if (whole !== undefined) return whole;
    const dot = name.indexOf('.');
    const list = dot > 0 ? byName.get(normalizeName(name.slice(0, dot))) : undefined;
    return list !== undefined && lists.has(list)
      ? `${list}.${name.slice(dot + 1).trim()}`
      : undefined;
  };
}

/** Something that a mapping names as a field and that is none; undefined where all are. */
export function findUnknownTarget(targets: FieldTargets, mapping: Mapping): string | undefined {
  const { columns = {}, fields = {}, scale = {}, zeroIsBlank = [] } = mapping;
  const named = Object.values(columns).filter((target) => target !== null);
  const all = [...named, ...Object.keys(fields), ...Object.keys(scale), ...zeroIsBlank];
  return all.find((target) => !isKnownTarget(targets, target));
}

/** Something that a mapping scales and that holds no single figure; undefined where all do. */
export function findNonNumericTarget(
  { fields }: FieldTargets,
  mapping: Mapping,
): string | undefined {
  const scaled = [...Object.keys(mapping.scale ?? {}), ...(mapping.zeroIsBlank ?? [])];
  return scaled.find((target) => {
    const type = fields.get(target)?.field.schema.type;
    return type !== undefined && type !== 'number' && type !== 'integer';
  });
}

function isKnownTarget({ fields, lists }: FieldTargets, target: string): boolean {
  if (fields.has(target)) return true;
  const [, list = '', rest = ''] = /^([^.:]+)([.:].+)$/.exec(target) ?? [];
  return lists.has(list) && (rest.startsWith('.') || rest === ':key' || rest === ':value');
}

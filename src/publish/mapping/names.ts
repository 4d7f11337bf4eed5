import type { Mapping } from './mapping.ts';
import type { Targets } from './targets.ts';

/** Names are compared without letter case, spaces and underscores: `Bid Price` is `bidPrice`. */
export function loosely(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\u00a0]+/g, '');
}

/** Where a column is, by its name: exactly, else loosely; `twice` where two have the name. */
export function placesOf(
  columns: readonly string[],
): (name: string) => number | 'twice' | undefined {
  const exact = numbered(columns);
  const loose = numbered(columns.map(loosely));
  return (name) => exact.get(name) ?? loose.get(loosely(name));
}

function numbered(names: readonly string[]): ReadonlyMap<string, number | 'twice'> {
  const places = new Map<string, number | 'twice'>();
  for (const [place, name] of names.entries()) places.set(name, places.has(name) ? 'twice' : place);
  return places;
}

/** The target that a column's own name says; undefined where it says none. */
export function spellings({ fields, lists }: Targets): (name: string) => string | undefined {
  const names = [
    ...fields.keys(),
    ...[...lists.keys()].flatMap((list) => [`${list}:key`, `${list}:value`]),
  ];
  const byName = new Map(names.map((name) => [loosely(name), name]));
  // The long form of funds is often headed just so.
  if (fields.has('class')) byName.set('fund', 'fund_id');
  return (name) => {
    const whole = byName.get(loosely(name));
    if (whole !== undefined) return whole;
    const dot = name.indexOf('.');
    const list = dot > 0 ? byName.get(loosely(name.slice(0, dot))) : undefined;
    return list !== undefined && lists.has(list)
      ? `${list}.${name.slice(dot + 1).trim()}`
      : undefined;
  };
}

/** Something that a mapping names as a field and that is none; undefined where all are. */
export function noTarget(targets: Targets, mapping: Mapping): string | undefined {
  const { columns = {}, fields = {}, scale = {}, zeroIsBlank = [] } = mapping;
  const named = Object.values(columns).filter((target) => target !== null);
  const all = [...named, ...Object.keys(fields), ...Object.keys(scale), ...zeroIsBlank];
  return all.find((target) => !isTarget(targets, target));
}

/** Something that a mapping scales and that holds no single figure; undefined where all do. */
export function noFigure({ fields }: Targets, mapping: Mapping): string | undefined {
  const scaled = [...Object.keys(mapping.scale ?? {}), ...(mapping.zeroIsBlank ?? [])];
  return scaled.find((target) => {
    const type = fields.get(target)?.field.schema.type;
    return type !== undefined && type !== 'number' && type !== 'integer';
  });
}

function isTarget({ fields, lists }: Targets, target: string): boolean {
  if (fields.has(target)) return true;
  const [, list = '', rest = ''] = /^([^.:]+)([.:].+)$/.exec(target) ?? [];
  return lists.has(list) && (rest.startsWith('.') || rest === ':key' || rest === ':value');
}

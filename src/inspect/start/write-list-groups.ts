import { formatRemark } from './adapter-frame.ts';
import { indent, propertyName } from './code.ts';
import type { FieldPlan } from './field-plan.ts';

/** What the code of lists that are made of several rows or objects consists of. */
export interface ListGroups {
  readonly fields: readonly FieldPlan[];
  /** The code of the rows or objects. */
  readonly source: string;
  /** The parameter of the functions: `row`. */
  readonly parameter: string;
  /** Lines of the function that gives the key of a record. */
  readonly key: readonly string[];
  readonly listKey: string;
  readonly figure: string;
  /** The member of a record for a field that is not of the list. */
  readonly writeMember: (plan: FieldPlan) => string;
  /** Whether such a member is the key. */
  readonly usesKey?: boolean;
}

/** Lines that put the rows of each record into a list, with its shares or total. */
export function writeListGroups(groups: ListGroups): string[] {
  const { fields, source, parameter, key, listKey, figure, writeMember, usesKey } = groups;
  const value = fields.find(({ field }) => field.endsWith(':value'));
  const list = value?.field.replace(/:value$/, '') ?? '';
  const isShare = value?.origin.kind === 'share';
  const others = fields.filter(({ field }) => !field.startsWith(`${list}:`));
  const members = others.map((plan) =>
    plan.origin.kind === 'list total'
      ? `${propertyName(plan.field)}: list.reduce((sum, { value }) => sum + value, 0),${formatRemark(plan)}`
      : writeMember(plan),
  );
  const [line = '', ...more] = key;
  const getKey = more.length > 0 ? ['=> {', ...indent([line, ...more]), '},'] : [`=> ${line},`];
  return [
    'const groups = await groupAndSum(',
    ...indent([
      `${source},`,
      `(${parameter}) ${getKey[0]}`,
      ...getKey.slice(1),
      `(${parameter}) => ({ [${listKey}]: ${figure} }), // check`,
    ]),
    ');',
    `for (const { ${usesKey ? 'key, ' : ''}first, sums } of groups) {`,
    ...indent([
      ...(isShare ? ['const shares = sharesOfTotal(Object.values(sums));'] : []),
      isShare
        ? 'const list = Object.keys(sums).map((key, index) => ({ key, value: shares[index] ?? 0 }));'
        : 'const list = Object.entries(sums).map(([key, value]) => ({ key, value }));',
      'yield at(first, {',
      ...indent([...members, `${propertyName(list)}: list,`]),
      '});',
    ]),
    '}',
  ];
}

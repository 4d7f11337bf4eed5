import { getExportName, writeAdapterFrame } from './adapter-frame.ts';
import { indent, propertyName, propertyOf, quote } from './code.ts';
import { matchNames } from './match-rows.ts';
import { getTargets, planMissing } from './plan-context.ts';
import type { Label, NestedPlan } from './plan-nested.ts';
import { writeMember } from './write-json-adapter.ts';
import { writeNameFields } from './write-wide-adapter.ts';

/** The variables of the loops below a period. */
const VARIABLES = [
  { key: 'name', item: 'item' },
  { key: 'partName', item: 'part' },
  { key: 'detailName', item: 'detail' },
] as const;

/** An adapter that yields a record for each period of a JSON file, from the objects below it. */
export function writeNestedAdapter(plan: NestedPlan) {
  const { dataset, file, shape, period, label, figure, otherFigures } = plan;
  const [list] = getTargets(dataset).lists.keys();
  const { rows, missing, unmatched } = matchNames(dataset, [...new Set(label.texts)]);
  const units = new Set(Object.values(dataset.fields).flatMap(({ unit }) => unit ?? []));
  const questions = [
    ...(otherFigures.length > 0 ? [`${figure.name} is taken, not ${otherFigures.join(', ')}`] : []),
    ...(units.size > 0
      ? [
          `scale: the dataset is in ${[...units].join(', ')}, and ${figure.name} has up to ${figure.max}`,
        ]
      : []),
  ];
  const { path, rest } = splitPath(shape.path, period.last);
  const isList = list !== undefined;
  const body = isList ? writeList(plan, list, rest) : writeRecord(plan, missing, rest);
  const keys = shape.keys.slice(0, period.last + 1).map((names) => names.slice(0, 3).join(', '));
  const text = body.join('\n');
  const code = writeAdapterFrame({
    dataset,
    fileName: file.name,
    remarks: [
      `In ${path}, * is ${keys.join('; ')}.`,
      ...questions.map((question) => `To decide: ${question}.`),
    ],
    options: { periods: 'sbp' },
    imports: ['parseNumber', 'sharesOfTotal'].filter((name) => text.includes(`${name}(`)),
    body: [
      `for await (const { keys, value } of file.json(${quote(path)})) {`,
      ...indent(body),
      '}',
    ],
    below: isList ? [] : writeNameFields('names', rows, unmatched),
  });
  return { code, questions, missing: isList ? [] : missing };
}

/** The path down to the last key of a period, and the names below it. */
function splitPath(path: string, last: number) {
  const names = path.split('.');
  let stars = -1;
  const end = names.findIndex((name) => {
    if (name === '*') stars++;
    return stars === last;
  });
  return { path: names.slice(0, end + 1).join('.'), rest: names.slice(end + 1) };
}

const periodMember = ({ dataset, period }: NestedPlan) =>
  `${propertyName(dataset.period?.field ?? 'period')}: ${period.code}`;

function writeRecord(plan: NestedPlan, missing: readonly string[], rest: readonly string[]) {
  const { dataset } = plan;
  const members = missing.flatMap((name) => {
    const field = dataset.fields[name];
    const origin = field && planMissing(name, field).origin;
    return origin?.kind === 'missing'
      ? [`${propertyName(name)}: '', // missing: ${origin.requirement}`]
      : [];
  });
  return [
    'const record: Record<string, unknown> = {',
    ...indent([`${periodMember(plan)},`, ...members]),
    '};',
    ...writeLoops(plan, rest, (figure) => [
      `const field = FIELDS[${writeLabel(plan.label, plan)}];`,
      `if (field !== undefined) record[field] = ${figure};`,
    ]),
    `yield record as RecordIn<typeof ${getExportName(dataset.name)}>;`,
  ];
}

function writeList(plan: NestedPlan, list: string, rest: readonly string[]): string[] {
  const { dataset, figure } = plan;
  const isShare = getTargets(dataset).lists.get(list)?.value.kind === 'share';
  const needsShares = isShare && (figure.max ?? 0) > 1;
  const total = dataset.checks.find(({ others }) => others.includes(list))?.field;
  const key = writeLabel(plan.label, plan);
  const values = needsShares
    ? [
        'const shares = sharesOfTotal(list.map((entry) => entry.value)); // check',
        `yield { ${periodMember(plan)}, ${list}: list.map(({ key }, index) => ({ key, value: shares[index] ?? 0 })) };`,
      ]
    : [
        ...(total
          ? ['const total = list.reduce((sum, entry) => sum + entry.value, 0); // check']
          : []),
        `yield { ${periodMember(plan)}, ${total ? `${total}: total, ` : ''}${list}: list };`,
      ];
  return [
    'const list: { key: string; value: number }[] = [];',
    ...writeLoops(plan, rest, (figure) => [
      `list.push({ key: ${key}, value: parseNumber(${figure}) ?? 0 });`,
    ]),
    ...values,
  ];
}

/** Loops over the objects below a period, for each of which the body has its figure. */
function writeLoops(
  plan: NestedPlan,
  rest: readonly string[],
  writeBody: (figure: string) => readonly string[],
): string[] {
  const star = rest.indexOf('*');
  const depth = plan.shape.keys.length - plan.period.last - 1 - rest.filter(isStar).length;
  const start = depth === 0 ? 'value' : (VARIABLES[depth - 1]?.item ?? '');
  const names = star < 0 ? rest : rest.slice(0, star);
  const object = names.reduce((code, name) => propertyOf(code, name), start);
  if (star < 0) {
    const { choice, figure } = plan;
    const check = choice
      ? [`if (${writeLabel(choice.label, plan)} !== ${quote(choice.text)}) continue; // check`]
      : [];
    return [...check, ...writeBody(writeMember(figure.name, object))];
  }
  const { key, item } = VARIABLES[depth] ?? VARIABLES[0];
  const labels = [plan.label, plan.choice?.label];
  const level = plan.period.last + 1 + depth;
  const usesName = labels.some((label) => label?.level === level && label.member === undefined);
  const loop = usesName
    ? `const [${key}, ${item}] of Object.entries`
    : `const ${item} of Object.values`;
  return [
    `for (${loop}<any>(${object} ?? {})) {`,
    ...indent(writeLoops(plan, rest.slice(star + 1), writeBody)),
    '}',
  ];
}

const isStar = (name: string) => name === '*';

function writeLabel({ level, member }: Label, { period }: NestedPlan): string {
  const { key, item } = VARIABLES[level - period.last - 1] ?? VARIABLES[0];
  return member === undefined ? key : propertyOf(item, member);
}

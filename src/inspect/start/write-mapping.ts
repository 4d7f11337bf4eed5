import type { FieldExpression, Mapping } from '../../publish/mapping/mapping.ts';
import { escapePattern } from './code.ts';
import { type FieldPlan, isUsed } from './field-plan.ts';
import type { TablePlan } from './plan-table.ts';

/** A mapping file with every column of the table in it: those that hold no field are left out. */
export function writeMapping(plan: TablePlan): string {
  const { dataset, file, sheets, fields, options } = plan;
  const [sheet] = sheets;
  const { columns, expressions } = writeColumns(sheet.columns, fields);
  const needsSheet = file.sheets.length > 1 && sheet.name !== '';
  const headerRow = sheet.headers[0]?.positions[0];
  const hasUnnamed = sheet.columns.some(({ name, blank }) => name === '' && blank < 1);
  const mapping: Omit<Mapping, 'decimal' | 'dates' | 'scale'> = {
    dataset: dataset.name,
    about: describe(plan),
    columns,
    ...(hasUnnamed && { otherColumns: 'ignore' as const }),
    ...(Object.keys(expressions).length > 0 && { fields: expressions }),
    ...options,
    ...(needsSheet && { sheet: sheet.name }),
    ...(headerRow !== undefined && headerRow > 1 && { headerRow }),
  };
  return `${JSON.stringify(mapping, null, 2)}\n`;
}

/** Every column in its order; a second field of a column is an expression. */
function writeColumns(all: TablePlan['sheets'][0]['columns'], fields: readonly FieldPlan[]) {
  const columns: Record<string, string | null> = {};
  const expressions: Record<string, FieldExpression> = {};
  const held = new Map<string, string>();
  for (const { field, origin } of fields) {
    if (origin.kind === 'column' && !held.has(origin.column)) held.set(origin.column, field);
    else expressions[field] = toExpression(origin);
  }
  for (const { name } of all) {
    const field = held.get(name);
    if (field !== undefined) columns[name] = field;
    else if (name !== '' && !isUsed(name, fields)) columns[name] = null;
  }
  return { columns, expressions };
}

function toExpression(origin: FieldPlan['origin']): FieldExpression {
  if (origin.kind === 'column') return `{${origin.column}}`;
  if (origin.kind === 'template') return origin.template;
  if (origin.kind === 'choice')
    return {
      of: `{${origin.column}}`,
      like: origin.choices.map(([text, choice]) => [`^${escapePattern(text)}$`, choice]),
    };
  if (origin.kind === 'share') return { shareOf: `{${origin.column}}` };
  if (origin.kind === 'constant') return origin.text;
  return origin.kind === 'day' ? '{file.date}' : '?';
}

function describe({ fields, questions, file, sheets }: TablePlan): string {
  const checks = fields.flatMap(({ field, check }) =>
    check === undefined ? [] : [check === '' ? field : `${field} (${check})`],
  );
  const missing = fields.flatMap(({ field, origin }) =>
    origin.kind === 'missing' ? [`${field} (${origin.requirement})`] : [],
  );
  const others = file.sheets.filter((sheet) => !sheets.includes(sheet)).map(({ name }) => name);
  const parts = [
    `A start that tenor inspect wrote from ${file.name}.`,
    missing.length > 0 ? `Missing: ${missing.join(', ')}.` : '',
    checks.length > 0 ? `To check: ${checks.join(', ')}.` : '',
    questions.length > 0 ? `To decide: ${questions.join('; ')}.` : '',
    others.length > 0 ? `Not used: the sheets ${others.join(', ')}.` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

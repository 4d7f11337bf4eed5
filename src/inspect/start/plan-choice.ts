import type { Field } from '../../catalogue/model/field.ts';
import { toText } from '../find-header.ts';
import type { SheetProfile } from '../inspect-file.ts';
import type { FieldPlan } from './field-plan.ts';

/** Words of the instrument types. */
const CHOICE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/bill|\bmtb\b|\bcmb\b/i, 'tbill'],
  [/corp|ncd|debenture|\btfc\b|commercial|company|\bpsu\b/i, 'corporate'],
  [
    /bond|note|gilt|treasur|go[vp]|sovereign|g-?sec|\bsdl\b|sukuk|\bpib\b|conventional|index|linked/i,
    'bond',
  ],
];

const MAX_CHOICES = 30;

/** Turns a column of other words into choices; as it is where its texts are choices already. */
export function planChoice(plan: FieldPlan, field: Field, sheet: SheetProfile): FieldPlan {
  const choices = field.schema.enum as readonly string[] | undefined;
  const { origin } = plan;
  if (field.kind !== 'choice' || !choices || origin.kind !== 'column') return plan;
  const index = sheet.columns.find(({ name }) => name === origin.column)?.index ?? -1;
  const texts = [...new Set(sheet.dataRows.map(({ cells }) => toText(cells[index])))];
  if (texts.every((text) => choices.includes(text.toLowerCase()))) return plan;
  const pairs = texts.slice(0, MAX_CHOICES).map((text) => {
    const [, choice = ''] = CHOICE_WORDS.find(([pattern]) => pattern.test(text)) ?? [];
    return [text, choices.includes(choice) ? choice : ''] as const;
  });
  const check = `one of ${choices.join(', ')} for each`;
  return {
    field: plan.field,
    origin: { kind: 'choice', column: origin.column, choices: pairs },
    check,
  };
}

import type { Dataset } from '../../catalogue/model/dataset.ts';
import { comment, formatObject, indent, writeTextTable } from './code.ts';
import type { FieldPlan } from './field-plan.ts';

export interface AdapterFrame {
  readonly dataset: Dataset;
  readonly fileName: string;
  /** Why a mapping does not suffice, and what a person should decide. */
  readonly remarks: readonly string[];
  readonly options: object;
  /** Names to import besides those of every adapter; types begin with `type `. */
  readonly imports?: readonly string[];
  /** The body of the generator. */
  readonly body: readonly string[];
  /** Declarations below it. */
  readonly below?: readonly string[];
}

/** A module with the parts that every adapter has. */
export function writeAdapterFrame(frame: AdapterFrame): string {
  const { dataset, fileName, remarks, options, imports = [], body, below = [] } = frame;
  const exportName = getExportName(dataset.name);
  const sortKey = (name: string) => name.replace('type ', '').toLowerCase();
  const names = [
    ...new Set(['type AdapterOptions', 'type OpenedFile', 'type RecordIn', exportName, ...imports]),
  ].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return `${[
    `import { ${names.join(', ')} } from 'tenor';`,
    '',
    ...comment([`A start that tenor inspect wrote from ${fileName}.`, ...remarks]),
    `export const options: AdapterOptions = ${formatObject({ dataset: dataset.name, ...options })};`,
    '',
    `export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof ${exportName}>> {`,
    ...indent(body),
    '}',
    ...below,
  ].join('\n')}\n`;
}

/** What the package calls a dataset: its name in camel case. */
export function getExportName(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The table of what the texts of a column stand for. */
export function writeChoices(fields: readonly FieldPlan[]): string[] {
  const origin = fields.find((field) => field.origin.kind === 'choice')?.origin;
  return origin?.kind === 'choice' ? ['', ...writeTextTable('CHOICES', origin.choices)] : [];
}

/** The remark at the end of the line of a field. */
export function formatRemark({ origin, check }: FieldPlan): string {
  if (origin.kind === 'missing') return ` // missing: ${origin.requirement}`;
  if (check === undefined) return '';
  return check === '' ? ' // check' : ` // check: ${check}`;
}

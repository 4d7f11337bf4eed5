import bankRows from '../../../examples/bank-rows.ts' with { type: 'text' };
import boardDays from '../../../examples/board-days.ts' with { type: 'text' };
import couponInName from '../../../examples/coupon-in-name.ts' with { type: 'text' };
import fundHoldings from '../../../examples/fund-holdings.ts' with { type: 'text' };
import jsonQuotes from '../../../examples/json-quotes.ts' with { type: 'text' };
import nestedJson from '../../../examples/nested-json.ts' with { type: 'text' };
import wideTable from '../../../examples/wide-table.ts' with { type: 'text' };
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { formatValue } from './code.ts';
import type { Start } from './start.ts';

/** The example for each shape of files. Their types are those of the modules, not of the texts. */
const TEMPLATES = {
  rows: couponInName,
  sheets: boardDays,
  sums: bankRows,
  holdings: fundHoldings,
  wide: wideTable,
  objects: jsonQuotes,
  nested: nestedJson,
} as unknown as Readonly<Record<TemplateName, string>>;

export type TemplateName = 'rows' | 'sheets' | 'sums' | 'holdings' | 'wide' | 'objects' | 'nested';

export interface Filling extends Pick<Start, 'reasons' | 'missing' | 'questions'> {
  readonly dataset: Dataset;
  readonly fileName: string;
  /** Facts about the file, such as what is not used. */
  readonly remarks?: readonly string[];
  readonly options: object;
  /** The values of the declarations, in code; undefined leaves a declaration out. */
  readonly declarations: Readonly<Record<string, string | undefined>>;
  readonly headerRows?: number | undefined;
}

/** An adapter: an example, with what is particular to its file replaced by what is found in another. */
export function fillTemplate(name: TemplateName, filling: Filling): Start {
  const { dataset, fileName, remarks = [], options, declarations, headerRows = 1 } = filling;
  const { reasons, missing, questions } = filling;
  const [, exampleName = ''] = /typeof (\w+)>/.exec(TEMPLATES[name]) ?? [];
  const exportName = toExportName(dataset.name);
  const code = Object.entries(declarations)
    .reduce(replaceDeclaration, getCode(name))
    .replaceAll(`typeof ${exampleName}>`, `typeof ${exportName}>`)
    .replace(
      /(?<=\.table\([^){]+)(?:, \{ headerRows: \d+ \})?(?=\))/,
      headerRows > 1 ? `, { headerRows: ${headerRows} }` : '',
    );
  const comments = [
    `A start that tenor inspect wrote from ${fileName}.`,
    ...(reasons.length > 0 ? [`A mapping does not suffice: ${reasons.join('; ')}.`] : []),
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...questions.map((question) => `To decide: ${question}.`),
    ...remarks,
  ];
  const text = [
    ...comments.map((line) => `// ${line.replaceAll(/\s+/g, ' ')}`),
    `import { ${findImports(code, exportName).join(', ')} } from 'tenor';`,
    '',
    `export const options: AdapterOptions = ${formatValue({ dataset: dataset.name, ...options })};`,
    '',
    code,
  ].join('\n');
  return { kind: 'adapter', text, reasons, missing, questions };
}

/** Everything below the options of an example. */
function getCode(name: TemplateName): string {
  const text = TEMPLATES[name];
  return text.slice(text.indexOf('\n\n', text.indexOf('export const options')) + 2);
}

/** A declaration: a line with those that go on with it, and the comment above. */
const writePattern = (name: string) =>
  new RegExp(`((?:^/\\*\\*.*\\n)?^const ${name}\\b[^=]*= )(.*(?:\\n[ \\])}].*)*);\\n+`, 'm');

function replaceDeclaration(
  code: string,
  [name, value]: readonly [string, string | undefined],
): string {
  const [whole, start = '', former = ''] = writePattern(name).exec(code) ?? [];
  if (whole === undefined) throw new Error(`the example declares no ${name}`);
  const declaration = value === undefined ? '' : whole.replace(start + former, () => start + value);
  return code.replace(whole, () => declaration);
}

/** The value of a declaration of an example. */
export const getDeclaration = (template: TemplateName, name: string): string =>
  writePattern(name).exec(TEMPLATES[template])?.[2] ?? '';

/** The name of a dataset in the package: in camel case. */
const toExportName = (name: string) =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const FUNCTIONS =
  'at findDate findPercentage groupAndSum parseDate parseNumber parsePeriod unpivot'.split(' ');
const TYPES = 'JsonValue OpenedFile RecordIn Row Sheet'.split(' ');

function findImports(code: string, exportName: string): string[] {
  const functions = FUNCTIONS.filter((name) => new RegExp(`\\b${name}\\(`).test(code));
  const types = TYPES.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return [...functions, ...['AdapterOptions', exportName, ...types].map((name) => `type ${name}`)];
}

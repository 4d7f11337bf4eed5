import bankRows from '../../../examples/bank-rows.ts' with { type: 'text' };
import boardDays from '../../../examples/board-days.ts' with { type: 'text' };
import couponInName from '../../../examples/coupon-in-name.ts' with { type: 'text' };
import fundHoldings from '../../../examples/fund-holdings.ts' with { type: 'text' };
import jsonQuotes from '../../../examples/json-quotes.ts' with { type: 'text' };
import nestedJson from '../../../examples/nested-json.ts' with { type: 'text' };
import wideTable from '../../../examples/wide-table.ts' with { type: 'text' };
import { formatValue } from './code.ts';
import { describePlan, type Start, type StartPlan, toStart } from './start.ts';

/** The example for each shape of files, imported as text; the types are those of the modules. */
const TEMPLATES = {
  rows: couponInName,
  sheets: boardDays,
  sums: bankRows,
  holdings: fundHoldings,
  wide: wideTable,
  objects: jsonQuotes,
  nested: nestedJson,
} as unknown as Readonly<Record<TemplateName, string>>;

type TemplateName = 'rows' | 'sheets' | 'sums' | 'holdings' | 'wide' | 'objects' | 'nested';

/** The values of declarations, or the bodies of functions, as code; undefined omits a declaration. */
type Declarations = Readonly<Record<string, string | undefined>>;

/** An adapter: an example whose file-specific declarations are replaced with those of another file. */
export function fillTemplate(name: TemplateName, plan: StartPlan, values: Declarations): Start {
  const { dataset, sheets, options } = plan;
  const example = TEMPLATES[name];
  const [, exampleName = ''] = /typeof (\w+)>/.exec(example) ?? [];
  // The name of a dataset in the package is in camel case.
  const exportName = dataset.name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const headerRows = sheets[0]?.headers[0]?.positions.length ?? 1;
  const code = example
    .slice(example.indexOf('import '))
    .replaceAll(new RegExp(`\\b${exampleName}\\b`, 'g'), exportName)
    .replace(
      /(?<=\.table\([^){]+)(?:, \{ headerRows: \d+ \})?(?=\))/,
      headerRows > 1 ? `, { headerRows: ${headerRows} }` : '',
    );
  const typed = dataset.declared ? withoutTypes(code, exportName) : code;
  const comments = describePlan(plan).map((line) => `// ${line.replaceAll(/\s+/g, ' ')}\n`);
  // The example reads one table, but the file has it on several sheets.
  const isOpen = sheets.length > 1 && !example.includes('file.sheets()');
  const allOptions = { dataset: dataset.name, ...options, ...(isOpen && { sheet: '?' }) };
  const declarations = { options: formatValue(allOptions), ...values };
  const text = comments.join('') + Object.entries(declarations).reduce(replaceDeclaration, typed);
  return toStart('adapter', text, plan);
}

/** The package has no types for declared datasets. */
function withoutTypes(code: string, exportName: string): string {
  const isOther = (name: string) =>
    !['', exportName, 'RecordIn'].includes(name.replace(/^type /, ''));
  return code
    .replaceAll(`RecordIn<typeof ${exportName}>`, 'Record<string, unknown>')
    .replace(/(?<=^import (?:type )?\{)[^}]+(?=\})/, (names) => {
      const others = names.split(',').map((name) => name.trim());
      return ` ${others.filter(isOther).join(', ')} `;
    });
}

/** Matches a declaration: its comment, its start up to a function body, and the lines of its value. */
const writePattern = (name: string) =>
  new RegExp(
    String.raw`((?:^/\*\*.*\n)?^(?:export )?const ${name}\b[^=]*= (?:(?:async )?\(.*?\)[^=\n]*=>\s+)?)(.*(?:\n[ \])}].*)*);\n+`,
    'm',
  );

function replaceDeclaration(
  code: string,
  [name, value]: readonly [string, string | undefined],
): string {
  const [whole, start = '', former = ''] = writePattern(name).exec(code) ?? [];
  if (whole === undefined) throw new Error(`the example declares no ${name}`);
  const declaration =
    value === undefined ? '' : whole.replace(start + former, () => `${start.trimEnd()} ${value}`);
  return code.replace(whole, () => declaration);
}

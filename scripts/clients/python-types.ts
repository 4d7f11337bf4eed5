import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Field, Fields } from '../../src/catalogue/model/field.ts';

/** The path of the client in the repository. */
export const CLIENT_PATH = 'clients/python/tenor_client.py';

/** The client's source with record types generated from the catalogue. */
export function insertGeneratedTypes(text: string, catalogue: readonly Dataset[]): string {
  const lists = catalogue.filter(({ shape }) => shape !== 'fund');
  const series = lists.filter(({ shape }) => shape === 'series');
  const overloads = [...series.map(generateOverload), ANY_SERIES].join('\n');
  const names = `SERIES = (\n${series.map(({ name }) => `    '${name}',\n`).join('')})\n`;
  const records = lists.map(generateRecordTypes).join('\n');
  return Object.entries({ series: names, overloads, records }).reduce(replaceSection, text);
}

function replaceSection(text: string, [section, lines]: readonly [string, string]): string {
  const pattern = new RegExp(
    `( *# Made by npm run docs from the catalogue: ${section}\n)[\\s\\S]*?( *# End)`,
  );
  if (!pattern.test(text)) throw new Error(`tenor_client.py has no section ${section}`);
  return text.replace(pattern, (_, start, end) => `${start}${lines}${end}`);
}

const generateOverload = (dataset: Dataset) => `    @overload
    def series(
        self, name: Literal['${dataset.name}']
    ) -> Records[${toClassName(dataset)}]: ...
`;

// A series that is newer than the client can be requested too.
const ANY_SERIES = `    @overload
    def series(self, name: str) -> Records[Any]: ...
`;

function generateRecordTypes(dataset: Dataset): string {
  const name = toClassName(dataset);
  const items = Object.entries(dataset.fields).flatMap(([field, { itemFields, description }]) =>
    itemFields ? [generateTypedDict(toItemName(name, field), description, itemFields)] : [],
  );
  return [...items, generateTypedDict(name, dataset.title, dataset.fields)].join('\n');
}

function generateTypedDict(name: string, description: string, fields: Fields): string {
  const lines = Object.entries(fields).map(([field, fieldDeclaration]) => {
    const unit = fieldDeclaration.unit === undefined ? '' : ` (${fieldDeclaration.unit})`;
    return `    ${field}: ${formatType(fieldDeclaration, toItemName(name, field))}\n    """${fieldDeclaration.description}${unit}"""\n`;
  });
  return `\nclass ${name}(TypedDict):\n    """${description}."""\n\n${lines.join('')}`;
}

function formatType({ itemFields, schema }: Field, itemType: string): string {
  if (itemFields) return `List[${itemType}]`;
  if (Array.isArray(schema.enum))
    return `Literal[${schema.enum.map((value) => `'${value}'`).join(', ')}]`;
  return { integer: 'int', number: 'float' }[String(schema.type)] ?? 'str';
}

function toClassName({ name }: Dataset): string {
  return name === 'quotes' ? 'Quote' : name.split('-').map(capitalize).join('');
}

/** The type of an element of a list: `provinces` is a list of `Province`. */
function toItemName(owner: string, field: string): string {
  return owner + capitalize(field).replace(/s$/, '');
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

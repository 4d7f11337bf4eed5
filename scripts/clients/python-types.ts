import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Field, Fields } from '../../src/catalogue/model/field.ts';

/** Where the client is, from the root of the repository. */
export const CLIENT_PATH = 'clients/python/tenor_client.py';

/** The client's text with the types of every record as the catalogue declares them. */
export function insertGeneratedTypes(text: string, catalogue: readonly Dataset[]): string {
  const lists = catalogue.filter(({ shape }) => shape !== 'fund');
  const series = lists.filter(({ shape }) => shape === 'series');
  const overloads = [...series.map(generateOverload), ANY_SERIES].join('\n');
  const names = `SERIES = (\n${series.map(({ name }) => `    '${name}',\n`).join('')})\n`;
  const parts = { series: names, overloads, records: lists.map(generateRecordTypes).join('\n') };
  return Object.entries(parts).reduce(
    (done, [part, made]) => replaceSection(done, part, made),
    text,
  );
}

function replaceSection(text: string, part: string, made: string): string {
  const place = new RegExp(
    `( *# Made by npm run docs from the catalogue: ${part}\n)[\\s\\S]*?( *# End)`,
  );
  if (!place.test(text)) throw new Error(`tenor_client.py has no place for ${part}`);
  return text.replace(place, (_, start, end) => `${start}${made}${end}`);
}

const generateOverload = (dataset: Dataset) => `    @overload
    def series(
        self, name: Literal['${dataset.name}']
    ) -> Records[${className(dataset)}]: ...
`;

// A series that is younger than the client can be asked for too.
const ANY_SERIES = `    @overload
    def series(self, name: str) -> Records[Any]: ...
`;

function generateRecordTypes(dataset: Dataset): string {
  const name = className(dataset);
  const items = Object.entries(dataset.fields).flatMap(([field, { itemFields, description }]) =>
    itemFields ? [typedDict(itemName(name, field), description, itemFields)] : [],
  );
  return [...items, typedDict(name, dataset.title, dataset.fields)].join('\n');
}

function typedDict(name: string, meaning: string, fields: Fields): string {
  const lines = Object.entries(fields).map(([field, declared]) => {
    const unit = declared.unit === undefined ? '' : ` (${declared.unit})`;
    return `    ${field}: ${typeOf(declared, itemName(name, field))}\n    """${declared.description}${unit}"""\n`;
  });
  return `\nclass ${name}(TypedDict):\n    """${meaning}."""\n\n${lines.join('')}`;
}

function typeOf({ itemFields, schema }: Field, item: string): string {
  if (itemFields) return `List[${item}]`;
  if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map((w) => `'${w}'`).join(', ')}]`;
  return { integer: 'int', number: 'float' }[String(schema.type)] ?? 'str';
}

function className({ name }: Dataset): string {
  return name === 'quotes' ? 'Quote' : name.split('-').map(capital).join('');
}

/** Of one item in a list: `provinces` holds a `Province` each. */
function itemName(owner: string, field: string): string {
  return owner + capital(field).replace(/s$/, '');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

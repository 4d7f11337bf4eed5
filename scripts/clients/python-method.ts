/** A parameter of a method, and what is sent as its value. */
export interface MethodParameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The name of the parameter of the service; undefined if the value is not in its query. */
  readonly sentAs?: string;
  readonly value: string;
  readonly description: string;
  readonly maximum?: number;
  /** Whether it is the size of pages, which are as large as can be by default. */
  readonly isPageSize?: boolean;
}

/** A method of the client for asyncio. */
export interface Method {
  readonly name: string;
  readonly operation: string;
  readonly description: string;
  readonly parameters: readonly MethodParameter[];
  /** The name for the dimensions of any dataset; undefined if it takes none. */
  readonly others: string | undefined;
  readonly type: string;
  /** The class of what it gives page by page; undefined if it reads one response. */
  readonly streamClass: string | undefined;
}

/** The text of a method, with its types and a docstring. */
export function formatMethod(method: Method): string {
  const { name, operation, others, parameters, streamClass, type } = method;
  const sent = parameters.flatMap(({ sentAs, value }) => (sentAs ? [`'${sentAs}': ${value}`] : []));
  const values = [...(others ? [`**${others}`] : []), ...sent];
  const dict = values.length > 0 ? `{\n${values.map(indentValue).join('')}        }` : '{}';
  const given = parameters
    .filter(({ sentAs }) => sentAs === undefined)
    .map((each) => `${each.name}=${each.value}`);
  const isOwnClass = streamClass !== undefined && streamClass !== 'AsyncRecordStream';
  const passed = [`'${operation}'`, 'parameters', ...(isOwnClass ? [streamClass] : []), ...given];
  const call = `${streamClass ? 'self._stream' : 'await self._read'}(${passed.join(', ')})`;
  return `    ${streamClass ? '' : 'async '}def ${name}(
        self,
${formatSignature(method)}    ) -> ${type}:
${formatDocstring(method)}
        parameters: Dict[str, Any] = ${dict}
        result: ${type} = ${call}
        return result
`;
}

const indentValue = (value: string) => `            ${value},\n`;

/** The parameters: what is needed comes first; if nothing is, what selects records. */
function formatSignature({ parameters, others }: Method): string {
  const required = parameters.filter((each) => each.isRequired);
  const optional = parameters.filter((each) => !each.isRequired);
  const [first] = optional;
  const selects = required.length === 0 && first !== undefined && first.type !== 'int';
  const positional = selects ? [...required, first] : required;
  const named = optional.slice(selects ? 1 : 0);
  return [
    ...positional.map(formatParameter),
    ...(others ? ['        /,\n'] : []),
    ...(named.length > 0 ? ['        *,\n'] : []),
    ...named.map(formatParameter),
    ...(others ? [`        **${others}: Parameter,\n`] : []),
  ].join('');
}

function formatParameter({ name, type, isRequired, isPageSize, maximum }: MethodParameter): string {
  if (isRequired) return `        ${name}: ${type},\n`;
  if (type === 'bool') return `        ${name}: bool = False,\n`;
  if (isPageSize) return `        ${name}: int = ${maximum},\n`;
  return `        ${name}: Optional[${type}] = None,\n`;
}

function formatDocstring({ description, parameters, name }: Method): string {
  const pages = name.endsWith('_all')
    ? 'All pages, each fetched when it is needed, of one revision. '
    : '';
  const lines = parameters.flatMap((each) =>
    each.description ? [wrap(`${each.name}: ${each.description}`, 8, 12)] : [],
  );
  const start = wrap(pages + description, 11, 8).trimStart();
  const text = lines.length > 0 ? [start, '', ...lines, '        '].join('\n') : start;
  return `        """${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""`;
}

const MAX_LINE = 100;

/** Lines of words, the first and the others behind so many spaces. */
function wrap(text: string, first: number, others: number): string {
  const lines: string[][] = [[]];
  let length = first;
  for (const word of text.split(/\s+/)) {
    if (length + word.length > MAX_LINE && length > others) {
      lines.push([]);
      length = others;
    }
    lines.at(-1)?.push(word);
    length += word.length + 1;
  }
  const indent = (index: number) => ' '.repeat(index === 0 ? first : others);
  return lines.map((words, index) => indent(index) + words.join(' ')).join('\n');
}

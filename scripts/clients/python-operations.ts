import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import {
  describeDatasetOperation,
  describeOperations,
  type OperationDescription,
} from './describe-operations.ts';
import { toClassName } from './python-types.ts';

/** The path of the module of the client for asyncio that is generated as a whole. */
export const OPERATIONS_PATH = 'clients/python/tenor_client/_async/operations.py';

/** Parameters of other formats than JSON, for `download`, and those that a client sets by itself. */
const OTHER_PARAMETERS = [
  'as_of',
  'as_stored',
  'compare',
  'fields',
  'names',
  'order',
  'rate',
  'shape',
];

/** Operations that are read page by page alone, and the class of what they give. */
const STREAM_TYPES: Readonly<Record<string, string>> = {
  dataset: 'AsyncRecordStream',
  aligned: 'AsyncRecordStream',
  vintages: 'AsyncVintages',
  changes: 'AsyncChanges',
};

/** Operations that take the dimensions of any dataset, and how these are called. */
const OPEN_OPERATIONS: Readonly<Record<string, string>> = {
  dataset: 'dimensions',
  vintages: 'filters',
};

const RECORD_TYPES: Readonly<Record<string, string>> = {
  curve: 'Curves',
  'fund-allocation': 'Fund',
};

/** Python's own words, which no parameter can be. */
const RESERVED = ['from', 'yield'];

/** The methods of the client for asyncio, of the OpenAPI document. */
export function generateOperationsModule(catalogue: readonly Dataset[]): string {
  const series = catalogue.filter(({ shape }) => shape === 'series');
  const operations = [
    ...describeOperations(catalogue).operations.filter(
      ({ name, path }) =>
        !series.some((each) => each.name === name) && !/^\/(ledger|links)\//.test(path),
    ),
    describeDatasetOperation(catalogue),
  ];
  const known = new Set(
    operations.flatMap(({ parameters }) => Object.keys(parameters.properties as object)),
  );
  const stale = OTHER_PARAMETERS.filter((name) => !known.has(name));
  if (stale.length > 0) throw new Error(`no operation has the parameters ${stale}`);
  return [
    HEADER,
    ...operations.map((operation) => generateMethods(operation, catalogue)),
    ...series.map(generateSeriesOverload),
    ANY_SERIES,
  ].join('\n');
}

const HEADER = `"""Operations, made by npm run docs from the OpenAPI document. Changes here are lost."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Literal, Optional, Union, overload

from .. import records
from ..parameters import Day, Parameter, Scalar, Symbols, name_bounds
from ..responses import Curves, Entry, Fund, Records
from .reader import AsyncReader
from .streams import AsyncChanges, AsyncRecordStream, AsyncVintages


@name_bounds
class AsyncOperations(AsyncReader):
    """The operations of the service."""
`;

/** A parameter of a method, and what is sent as its value. */
interface MethodParameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly value: string;
  readonly description: string;
  readonly maximum?: number;
}

function generateMethods(operation: OperationDescription, catalogue: readonly Dataset[]): string {
  const { name, parameters, hasCount } = operation;
  const method = name.replaceAll('-', '_');
  const all = listParameters(operation);
  const hasPages = 'cursor' in (parameters.properties as object);
  const streamType = STREAM_TYPES[name];
  if (streamType !== undefined)
    return generateMethod(operation, method, toPages(all), describeStream(name, catalogue));
  const count: MethodParameter = {
    name: 'count',
    type: 'bool',
    isRequired: false,
    value: 'count',
    description: 'Whether `total` of the response is filled.',
  };
  const one = generateMethod(operation, method, hasCount && hasPages ? [...all, count] : all, {
    type: describeResult(operation, catalogue),
    call: 'await self._read',
  });
  if (!hasPages) return one;
  const pages = describeStream(name, catalogue);
  return `${one}\n${generateMethod(operation, `${method}_all`, toPages(all), pages)}`;
}

interface Result {
  readonly type: string;
  readonly call: string;
}

function describeStream(name: string, catalogue: readonly Dataset[]): Result {
  const type = STREAM_TYPES[name] ?? 'AsyncRecordStream';
  const isGeneric = type === 'AsyncRecordStream';
  return {
    type: isGeneric ? `${type}[${getRecordType(name, catalogue)}]` : type,
    call: isGeneric ? 'self._stream' : `self._stream.${type}`,
  };
}

function describeResult({ name, data }: OperationDescription, catalogue: readonly Dataset[]) {
  const type = RECORD_TYPES[name];
  if (type !== undefined) return type;
  return data.type === 'array' ? `Records[${getRecordType(name, catalogue)}]` : 'Entry';
}

function getRecordType(name: string, catalogue: readonly Dataset[]): string {
  const dataset = catalogue.find((each) => each.name === name && each.shape !== 'reference');
  return dataset ? `records.${toClassName(dataset)}` : 'Dict[str, Any]';
}

function listParameters({ path, parameters }: OperationDescription): MethodParameter[] {
  const required = parameters.required as readonly string[];
  const properties = Object.entries(parameters.properties as Readonly<Record<string, JsonSchema>>);
  const segments = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return [
    ...segments.map((name) => ({
      name,
      type: name === 'n' ? 'int' : 'str',
      isRequired: true,
      value: name === 'n' ? `f'{n:d}'` : name,
      description: '',
    })),
    ...properties
      .filter(([name]) => !OTHER_PARAMETERS.includes(name) && !segments.includes(name))
      .map(([name, schema]) => describeParameter(name, schema, required.includes(name))),
  ];
}

function describeParameter(name: string, schema: JsonSchema, isRequired: boolean): MethodParameter {
  const safeName = RESERVED.includes(name) ? `${name}_` : name;
  const isFlag = String(schema.enum) === 'true,false';
  return {
    name: safeName,
    type: isFlag ? 'bool' : getType(name, schema),
    isRequired,
    value: isFlag ? `${safeName} or None` : safeName,
    // The types, and the service, say what a value must be.
    description: String(schema.description).split(' Must be ')[0] ?? '',
    maximum: Number(schema.maximum),
  };
}

/** The type of a value that is given; a list is one text, or several values. */
function getType(name: string, schema: JsonSchema): string {
  if (name === 'symbol' && schema.anyOf) return 'Symbols';
  if (schema.anyOf) return 'Union[Scalar, Iterable[Scalar]]';
  if (name === 'dataset') return 'str';
  if (Array.isArray(schema.enum))
    return `Literal[${schema.enum.map((value) => `'${value}'`).join(', ')}]`;
  if (schema.format === 'date' || name === 'from' || name === 'to') return 'Day';
  return { integer: 'int', number: 'float' }[String(schema.type)] ?? 'str';
}

/** The parameters of what reads all pages: how many records each has is up to the client. */
function toPages(parameters: readonly MethodParameter[]): MethodParameter[] {
  return parameters.map((each) =>
    each.name === 'limit'
      ? {
          ...each,
          name: 'page_size',
          value: 'page_size',
          description: 'How many records a page has.',
        }
      : each,
  );
}

function generateMethod(
  operation: OperationDescription,
  method: string,
  parameters: readonly MethodParameter[],
  { type, call }: Result,
): string {
  const { name, path } = operation;
  const open = OPEN_OPERATIONS[name];
  const isSegment = (each: MethodParameter) => path.includes(`{${each.name}}`);
  const others = parameters.filter((each) => !isSegment(each));
  const isAsync = call.startsWith('await ');
  const pairs = others
    .filter((each) => each.name !== 'count')
    .map((each) => `            '${toWireName(each.name)}': ${each.value},\n`);
  const sent = [...(open ? [`            **${open},\n`] : []), ...pairs].join('');
  const given = [
    ...parameters.filter(isSegment).map((each) => `${each.name}=${each.value}`),
    ...(others.some((each) => each.name === 'count') ? ['count=count'] : []),
  ];
  const streamClass = /^self\._stream\.(\w+)$/.exec(call)?.[1];
  const callee = streamClass ? 'self._stream' : call;
  const call_arguments = [
    `'${name}'`,
    'parameters',
    ...(streamClass ? [streamClass] : []),
    ...given,
  ];
  return `    ${isAsync ? 'async ' : ''}def ${method}(
        self,
${formatSignature(name, parameters, others)}    ) -> ${type}:
${formatDocstring(operation, others, method.endsWith('_all'))}
        parameters: Dict[str, Any] = {
${sent}        }
        result: ${type} = ${callee}(${call_arguments.join(', ')})
        return result
`.replace(
    '        parameters: Dict[str, Any] = {\n        }',
    '        parameters: Dict[str, Any] = {}',
  );
}

const toWireName = (name: string) => (name === 'page_size' ? 'limit' : name.replace(/_$/, ''));

/** What is needed comes first, without a name; if nothing is, what selects records. */
function formatSignature(
  name: string,
  parameters: readonly MethodParameter[],
  others: readonly MethodParameter[],
): string {
  const open = OPEN_OPERATIONS[name];
  const required = parameters.filter((each) => each.isRequired);
  const optional = parameters.filter((each) => !each.isRequired);
  const [first] = others;
  const selects = required.length === 0 && first && !['limit', 'page_size'].includes(first.name);
  const positional = selects ? optional.slice(0, 1) : [];
  const named = optional.slice(positional.length);
  const format = (each: MethodParameter) => `        ${each.name}: ${formatDefault(each)},\n`;
  return [
    ...required.map(format),
    ...positional.map(format),
    ...(open ? ['        /,\n'] : []),
    ...(named.length > 0 ? ['        *,\n'] : []),
    ...named.map(format),
    ...(open ? [`        **${open}: Parameter,\n`] : []),
  ].join('');
}

function formatDefault({ name, type, isRequired, maximum }: MethodParameter): string {
  if (isRequired) return type;
  if (name === 'page_size') return `int = ${maximum}`;
  return type === 'bool' ? 'bool = False' : `Optional[${type}] = None`;
}

function formatDocstring(
  { description }: OperationDescription,
  parameters: readonly MethodParameter[],
  isAll: boolean,
): string {
  const [first = ''] = description.split('\n\n');
  const pages = isAll ? 'All pages, each fetched when it is needed, of one revision. ' : '';
  const lines = parameters
    .filter((each) => each.description)
    .flatMap((each) =>
      wrap(`${each.name}: ${each.description}`, 12).map((l, i) => (i ? l : l.slice(4))),
    );
  const text = [...wrap(pages + first, 8), '', ...lines].join('\n').trim();
  return `        """${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}${lines.length > 0 ? '\n        ' : ''}"""`;
}

function wrap(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent - 1);
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length > 99 && line.trim()) {
      lines.push(line);
      line = ' '.repeat(indent - 1);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

const generateSeriesOverload = (dataset: Dataset) => `    @overload
    async def series(
        self, name: Literal['${dataset.name}']
    ) -> Records[records.${toClassName(dataset)}]: ...
`;

// A series that is newer than the client can be requested too.
const ANY_SERIES = `    @overload
    async def series(self, name: str) -> Records[Any]: ...

    async def series(self, name: str) -> Records[Any]:
        """A series by its name, newest period first."""
        return await self._read_series(name)
`;

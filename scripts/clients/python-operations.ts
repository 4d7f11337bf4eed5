import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import {
  describeDatasetOperation,
  describeOperations,
  type OperationDescription,
} from './describe-operations.ts';
import { formatMethod, type Method, type MethodParameter } from './python-method.ts';
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
const STREAM_CLASSES: Readonly<Record<string, string>> = {
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
    ...operations.flatMap((operation) => describeMethods(operation, catalogue)).map(formatMethod),
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

function describeMethods(operation: OperationDescription, catalogue: readonly Dataset[]): Method[] {
  const { name, description, parameters, hasCount } = operation;
  const all = listParameters(operation);
  const hasPages = 'cursor' in (parameters.properties as object);
  const method = {
    name: name.replaceAll('-', '_'),
    operation: name,
    description: description.split('\n\n')[0] ?? '',
    others: OPEN_OPERATIONS[name],
  };
  const streamClass = STREAM_CLASSES[name] ?? 'AsyncRecordStream';
  const isGeneric = streamClass === 'AsyncRecordStream';
  const type = isGeneric ? `${streamClass}[${getRecordType(name, catalogue)}]` : streamClass;
  const stream = { ...method, parameters: all.map(toPageSize), type, streamClass };
  if (name in STREAM_CLASSES) return [stream];
  const single = {
    ...method,
    parameters: hasCount && hasPages ? [...all, COUNT] : all,
    type: describeResult(operation, catalogue),
    streamClass: undefined,
  };
  return hasPages ? [single, { ...stream, name: `${method.name}_all` }] : [single];
}

const COUNT: MethodParameter = {
  name: 'count',
  type: 'bool',
  isRequired: false,
  value: 'count',
  description: 'Whether `total` of the response is filled.',
};

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
    sentAs: name,
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

/** How many records a page has, where all are read, is up to the client. */
function toPageSize(parameter: MethodParameter): MethodParameter {
  if (parameter.name !== 'limit') return parameter;
  const description = 'How many records a page has.';
  return { ...parameter, name: 'page_size', value: 'page_size', description, isPageSize: true };
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

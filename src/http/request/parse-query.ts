import { formatAllowedNames } from '../../catalogue/model/api-errors.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Parameter, Parameters } from '../../catalogue/model/parameter.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import { HttpError } from '../http-error.ts';
import type { CursorCodec } from './cursor-codec.ts';

/** Path and query of a request, not decoded. */
export class RequestTarget {
  readonly path: string;
  readonly query: string;
  #parameters: readonly SentParameter[] | undefined;

  /** Of a URL, with or without scheme and host. */
  constructor(url: string) {
    const target = sliceTarget(url);
    const end = target.indexOf('?');
    this.path = end < 0 ? target : target.slice(0, end);
    this.query = end < 0 ? '' : target.slice(end + 1);
  }

  /** The parameters of the query, split and decoded once. */
  get parameters(): readonly SentParameter[] {
    this.#parameters ??= splitQuery(this.query);
    return this.#parameters;
  }

  /** Without a question mark if the query is empty. */
  toString(): string {
    return this.query === '' ? this.path : `${this.path}?${this.query}`;
  }
}

/** Path and query of a URL, as one text: the URL without scheme and host, if it has any. */
export function sliceTarget(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

/** The values of an operation's path parameters; undefined if the path does not match. */
export function matchPath(
  { path: pattern, pathParameters = {} }: Pick<Operation, 'path' | 'pathParameters'>,
  path: string,
): Readonly<Record<string, unknown>> | undefined {
  const expected = pattern.split('/');
  const segments = path.split('/');
  if (segments.length !== expected.length) return undefined;
  const values: Record<string, unknown> = {};
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(\w+)\}$/.exec(expected[index] ?? '')?.[1];
    if (name === undefined && segment !== expected[index]) return undefined;
    if (name === undefined) continue;
    values[name] = pathParameters[name]?.parse(segment);
    if (values[name] === undefined) return undefined;
  }
  return values;
}

/** A parameter of a query, as it was sent; name and value are undefined if they cannot be decoded. */
export class SentParameter {
  readonly name: string | undefined;
  readonly value: string | undefined;
  #declaration: Parameter | undefined;
  #parsed: unknown;

  constructor(
    readonly rawName: string,
    readonly rawValue: string,
  ) {
    this.name = decodeFormComponent(rawName);
    this.value = decodeFormComponent(rawValue);
  }

  /** Its value by a declaration, parsed once; undefined if it is invalid or empty. */
  parse<T>(declaration: Parameter<T>): T | undefined {
    if (this.#declaration !== declaration) {
      this.#declaration = declaration;
      this.#parsed = this.value ? declaration.parse(this.value) : undefined;
    }
    return this.#parsed as T | undefined;
  }
}

/** The parameters of a query string. Empty segments, as in `?&&a=1&`, are none. */
export function splitQuery(query: string): SentParameter[] {
  const sent: SentParameter[] = [];
  for (const segment of query.split('&')) {
    if (segment === '') continue;
    const end = segment.indexOf('=');
    const rawName = end < 0 ? segment : segment.slice(0, end);
    const rawValue = end < 0 ? '' : segment.slice(end + 1);
    sent.push(new SentParameter(rawName, rawValue));
  }
  return sent;
}

export function parseQuery(
  sent: readonly SentParameter[],
  parameters: Parameters,
): Readonly<Record<string, unknown>> | HttpError {
  const sentByName = collectByName(sent, parameters);
  if (sentByName instanceof HttpError) return sentByName;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(parameters)) {
    const parameter = sentByName.get(name);
    const declaration = parameters[name];
    if (!parameter || !declaration) continue;
    const { requirement, explain, isExplainedFirst } = declaration;
    const { value = '' } = parameter;
    if (value === '')
      return new HttpError('empty_parameter', { parameter: name, allowed: requirement });
    values[name] = parameter.parse(declaration);
    if (values[name] === undefined) {
      const problem = explain?.(value);
      if (problem !== undefined && isExplainedFirst)
        return new HttpError('explained_value', { parameter: name, problem, allowed: requirement });
      const allowed = problem === undefined ? requirement : `${requirement}; ${problem}`;
      return new HttpError('bad_value', { parameter: name, allowed });
    }
  }
  return values;
}

/**
 * The first value of a parameter, whatever is wrong with the rest of the query; undefined if the
 * parameter is missing. A value that cannot be decoded stays as it was sent.
 */
export function findFirstValue(
  sent: readonly SentParameter[],
  parameter: string,
): string | undefined {
  const first = findFirst(sent, parameter);
  return first?.value ?? first?.rawValue;
}

export function findFirst(
  sent: readonly SentParameter[],
  parameter: string,
): SentParameter | undefined {
  return sent.find(({ name }) => name === parameter);
}

function collectByName(
  sent: readonly SentParameter[],
  parameters: Parameters,
): Map<string, SentParameter> | HttpError {
  const byName = new Map<string, SentParameter>();
  for (const parameter of sent) {
    const { rawName, name, value } = parameter;
    if (name === undefined || value === undefined)
      return new HttpError('bad_encoding', { parameter: truncateName(name ?? rawName) });
    if (!Object.hasOwn(parameters, name)) {
      return new HttpError('unknown_parameter', {
        parameter: truncateName(name),
        allowed: formatAllowedNames(Object.keys(parameters)),
      });
    }
    if (byName.has(name)) return new HttpError('repeated_parameter', { parameter: name });
    byName.set(name, parameter);
  }
  return byName;
}

/** Undefined if the text is not percent-encoded UTF-8, or has a NUL. */
function decodeFormComponent(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Keeps messages that name a parameter short. */
function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

/** The values of a query: what it selects, its page, and how it is to be sent. */
export interface DataQuery {
  /** A cursor is valid with these alone. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly cursor?: string | undefined;
  /** That of the parameter, which wins over `Accept`. */
  readonly format: ResponseFormatName;
  readonly fields?: readonly string[] | undefined;
}

/** The values of a query; JSON has all fields of records, and those that are asked for of aggregates. */
export function parseDataQuery(
  sent: readonly SentParameter[],
  parameters: Parameters,
  acceptedFormat: ResponseFormatName = 'json',
): DataQuery | HttpError {
  const values = parseQuery(sent, parameters);
  if (values instanceof HttpError) return values;
  const { cursor, as_of: _, format = acceptedFormat, fields, ...filters } = values;
  const isAggregated = filters.frequency !== undefined;
  if (fields && !isAggregated && !FLAT_FORMATS.includes(format as ResponseFormatName))
    return new HttpError('fields_of_json', { allowed: FLAT_FORMATS.join(', ') });
  return { filters, format, cursor, fields } as DataQuery;
}

export const FLAT_FORMATS = (Object.keys(RESPONSE_FORMATS) as ResponseFormatName[]).filter(
  (name) => RESPONSE_FORMATS[name].traits.isFlat,
);

/** The parameters of a request for a page of an operation's list. */
export interface PageRequest extends Omit<DataQuery, 'cursor'> {
  /** The text that cursors are signed for: each is valid for its own path and filters alone. */
  readonly getCursorScope: () => string;
  /** Where the page begins; absent on the first. */
  readonly position?: readonly (string | number)[];
}

/** The parts of a request that a page is parsed from. */
export interface PageTarget {
  readonly target: { readonly path: string; readonly parameters: readonly SentParameter[] };
  readonly cursors: CursorCodec;
  readonly acceptedFormat: ResponseFormatName;
}

/** The parameters of a request for a page; an error if one is invalid. Cursors are signed for `cursorPath`. */
export function parsePageRequest(
  { target, cursors, acceptedFormat }: PageTarget,
  parameters: Parameters,
  cursorPath = target.path,
): PageRequest | HttpError {
  const parsed = parseDataQuery(target.parameters, parameters, acceptedFormat);
  if (parsed instanceof HttpError) return parsed;
  const { cursor, filters, format, fields } = parsed;
  const getCursorScope = () => `${cursorPath} ${JSON.stringify(filters)}`;
  const page = { filters, format, fields, getCursorScope };
  if (cursor === undefined) return page;
  const decoded = cursors.decode(getCursorScope(), cursor);
  if (decoded instanceof HttpError) return decoded;
  // The revision, which is that of the view, and when it was published come first.
  const [, , ...position] = decoded;
  return { ...page, position };
}

import { formatAllowedNames } from '../../catalogue/model/api-errors.ts';
import type { Parameters } from '../../catalogue/model/parameter.ts';
import { HttpError } from '../http-error.ts';

/** Parses a query string by the declarations of its parameters. */
export function parseQuery(
  query: string,
  parameters: Parameters,
): Readonly<Record<string, unknown>> | HttpError {
  const texts = splitParameters(query, parameters);
  if (texts instanceof HttpError) return texts;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(parameters)) {
    const text = texts.get(name);
    const declaration = parameters[name];
    if (text === undefined || !declaration) continue;
    const { requirement, parse, explain } = declaration;
    if (text === '')
      return new HttpError('empty_parameter', { parameter: name, allowed: requirement });
    values[name] = parse(text);
    if (values[name] === undefined) {
      const problem = explain?.(text);
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
export function findFirstValue(query: string, parameter: string): string | undefined {
  for (const [rawName, rawValue] of splitPairs(query)) {
    if (decodeFormComponent(rawName) === parameter)
      return decodeFormComponent(rawValue) ?? rawValue;
  }
  return undefined;
}

/** The decoded texts by parameter name. */
function splitParameters(query: string, parameters: Parameters): Map<string, string> | HttpError {
  const texts = new Map<string, string>();
  for (const [rawName, rawValue] of splitPairs(query)) {
    const name = decodeFormComponent(rawName);
    const value = decodeFormComponent(rawValue);
    if (name === undefined || value === undefined)
      return new HttpError('bad_encoding', { parameter: truncateName(name ?? rawName) });
    if (!Object.hasOwn(parameters, name)) {
      return new HttpError('unknown_parameter', {
        parameter: truncateName(name),
        allowed: formatAllowedNames(Object.keys(parameters)),
      });
    }
    if (texts.has(name)) return new HttpError('repeated_parameter', { parameter: name });
    texts.set(name, value);
  }
  return texts;
}

/** Names and values as they were sent. Empty segments, as in `?&&a=1&`, are no parameters. */
function splitPairs(query: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (const segment of query.split('&')) {
    const end = segment.indexOf('=');
    if (end >= 0) pairs.push([segment.slice(0, end), segment.slice(end + 1)]);
    else if (segment !== '') pairs.push([segment, '']);
  }
  return pairs;
}

/** Undefined where the text is not percent-encoded UTF-8, or has a NUL. */
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

import { formatAllowedNames } from '../../catalogue/model/api-errors.ts';
import type { Parameters } from '../../catalogue/model/parameter.ts';
import { createHttpError, type HttpError, isHttpError } from '../http-error.ts';

/** Parses a query string by the declarations of its parameters. */
export function parseQuery(
  query: string,
  parameters: Parameters,
): Readonly<Record<string, unknown>> | HttpError {
  const texts = splitParameters(query, parameters);
  if (isHttpError(texts)) return texts;
  const values: Record<string, unknown> = {};
  for (const [name, { requirement, requiredError, parse }] of Object.entries(parameters)) {
    const text = texts.get(name);
    if (requiredError && !text) return createHttpError(requiredError);
    if (text === undefined) continue;
    if (text === '')
      return createHttpError('empty_parameter', { parameter: name, allowed: requirement });
    values[name] = parse(text);
    if (values[name] === undefined)
      return createHttpError('bad_value', { parameter: name, allowed: requirement });
  }
  return values;
}

/** The decoded texts by parameter name. */
function splitParameters(query: string, parameters: Parameters): Map<string, string> | HttpError {
  const texts = new Map<string, string>();
  if (query === '') return texts;
  for (const pair of query.split('&')) {
    const [rawName = '', ...rawValue] = pair.split('=');
    const name = decodeFormComponent(rawName);
    const value = decodeFormComponent(rawValue.join('='));
    if (name === undefined || value === undefined) {
      return createHttpError('bad_encoding', { parameter: truncateName(name ?? rawName) });
    }
    if (!Object.hasOwn(parameters, name)) {
      return createHttpError('unknown_parameter', {
        parameter: truncateName(name),
        allowed: formatAllowedNames(Object.keys(parameters)),
      });
    }
    if (texts.has(name)) return createHttpError('repeated_parameter', { parameter: name });
    texts.set(name, value);
  }
  return texts;
}

/** Undefined where the text is not percent-encoded UTF-8, or has a NUL. */
function decodeFormComponent(text: string): string | undefined {
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

import { formatAllowedNames } from '../../catalogue/model/api-errors.ts';
import type { Parameters } from '../../catalogue/model/parameter.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError, isHttpError } from '../http-error.ts';

/** The values of a query string, read as the parameters declare; or why it is refused. */
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

/** The texts by name: each known and given once, decoded. */
function splitParameters(query: string, parameters: Parameters): Map<string, string> | HttpError {
  const texts = new Map<string, string>();
  if (query === '') return texts;
  for (const pair of query.split('&')) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = decodeFormComponent(rawName);
    const value = decodeFormComponent(rest.join('='));
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

/** Form decoding; undefined for what is not UTF-8 in percent signs, and for NUL. */
function decodeFormComponent(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** A name as it may stand in a message: cut where somebody sends a novel. */
function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

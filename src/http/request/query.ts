import { allowedNames } from '../../catalogue/failures.ts';
import type { Parameters } from '../../catalogue/parameter.ts';
import type { Refusal } from '../failures.ts';
import { isRefusal, refuse } from '../failures.ts';

/** The values of a query string, read as the parameters declare; or why it is refused. */
export function readQuery(
  query: string,
  parameters: Parameters,
): Readonly<Record<string, unknown>> | Refusal {
  const texts = split(query, parameters);
  if (isRefusal(texts)) return texts;
  const values: Record<string, unknown> = {};
  for (const [name, { rule, missing, read }] of Object.entries(parameters)) {
    const text = texts.get(name);
    if (missing && !text) return refuse(missing);
    if (text === undefined) continue;
    if (text === '') return refuse('empty_parameter', { parameter: name, allowed: rule });
    values[name] = read(text);
    if (values[name] === undefined) return refuse('bad_value', { parameter: name, allowed: rule });
  }
  return values;
}

/** The texts by name: each known and given once, decoded. */
function split(query: string, parameters: Parameters): Map<string, string> | Refusal {
  const texts = new Map<string, string>();
  if (query === '') return texts;
  for (const pair of query.split('&')) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = decode(rawName);
    const value = decode(rest.join('='));
    if (name === undefined || value === undefined) {
      return refuse('bad_encoding', { parameter: shown(name ?? rawName) });
    }
    if (!Object.hasOwn(parameters, name)) {
      return refuse('unknown_parameter', {
        parameter: shown(name),
        allowed: allowedNames(Object.keys(parameters)),
      });
    }
    if (texts.has(name)) return refuse('repeated_parameter', { parameter: name });
    texts.set(name, value);
  }
  return texts;
}

/** Form decoding; undefined for what is not UTF-8 in percent signs, and for NUL. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** A name as it may stand in a message: cut where somebody sends a novel. */
function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

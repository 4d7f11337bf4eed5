import { readFileSync } from 'node:fs';
import type { FormatName } from '../formats/index.ts';
import { FileRefused, FORMATS } from '../formats/index.ts';
import type { Mapping } from '../publish/mapping/mapping.ts';
import { parseMapping } from '../publish/mapping/mapping.ts';
import type { Call } from './command.ts';
import { WrongUse } from './command.ts';

/** The mapping file, and over it what the call itself says. */
export function mappingOf(call: Call): Mapping {
  const { mapping: file, format, sheet, decimal, periods, dates } = call.options;
  const base = typeof file === 'string' ? mappingIn(file) : {};
  const headerRow = call.options['header-row'];
  const columns = pairs(call, 'map').map(([column, field]) => [
    column,
    field === '' ? null : field,
  ]);
  const own = {
    format: oneOf('format', format, FORMATS) as FormatName | undefined,
    sheet,
    headerRow: headerRow === undefined ? undefined : rowNumber(headerRow),
    decimal: oneOf('decimal', decimal, ['.', ',']),
    periods: oneOf('periods', periods, ['sbp']),
    dates: oneOf('dates', dates, ['dmy', 'mdy']),
    blank: oneOf('blank', call.options.blank, ['zero', 'absent']),
    uncomputable: oneOf('uncomputable', call.options.uncomputable, ['zero']),
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return {
    ...base,
    ...Object.fromEntries(given),
    columns: { ...base.columns, ...Object.fromEntries(columns) },
    fields: { ...base.fields, ...Object.fromEntries(pairs(call, 'set')) },
  };
}

function mappingIn(file: string): Mapping {
  try {
    return parseMapping(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    const { message } = cause as Error;
    throw new WrongUse(cause instanceof FileRefused ? message : `--mapping ${file}: ${message}`);
  }
}

function pairs(call: Call, option: 'map' | 'set'): [string, string][] {
  return call.all(option).map((pair) => {
    // A field's name has no = in it; a column's, or a text, may.
    const at = option === 'map' ? pair.lastIndexOf('=') : pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || name === '') throw new WrongUse(`--${option} must be NAME=WHAT, not "${pair}"`);
    return [name, value];
  });
}

function oneOf(option: string, value: unknown, words: readonly string[]): string | undefined {
  if (value === undefined || words.includes(String(value))) return value as string | undefined;
  const allowed = words.map((word) => `"${word}"`).join(' or ');
  throw new WrongUse(`--${option} must be ${allowed}, not "${value}"`);
}

function rowNumber(text: string | boolean): number {
  if (/^[1-9]\d{0,6}$/.test(String(text))) return Number(text);
  throw new WrongUse('--header-row must be a whole number from 1');
}

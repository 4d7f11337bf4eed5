import { readFileSync } from 'node:fs';
import type { FileFormat } from '../formats/read-contents.ts';
import { FILE_FORMATS, InvalidFileError } from '../formats/read-contents.ts';
import type { Mapping } from '../publish/mapping/mapping.ts';
import { parseMapping } from '../publish/mapping/mapping.ts';
import type { CommandCall } from './command.ts';
import { UsageError } from './command.ts';

/** The mapping file, and over it what the call itself says. */
export function parseMappingOptions(call: CommandCall): Mapping {
  const { mapping: file, format, sheet, decimal, periods, dates } = call.options;
  const base = typeof file === 'string' ? readMappingFile(file) : {};
  const headerRow = call.options['header-row'];
  const columns = parsePairs(call, 'map').map(([column, field]) => [
    column,
    field === '' ? null : field,
  ]);
  const own = {
    format: parseChoice('format', format, FILE_FORMATS) as FileFormat | undefined,
    sheet,
    headerRow: headerRow === undefined ? undefined : parseRowNumber(headerRow),
    decimal: parseChoice('decimal', decimal, ['.', ',']),
    periods: parseChoice('periods', periods, ['sbp']),
    dates: parseChoice('dates', dates, ['dmy', 'mdy']),
    blank: parseChoice('blank', call.options.blank, ['zero', 'absent']),
    uncomputable: parseChoice('uncomputable', call.options.uncomputable, ['zero']),
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return {
    ...base,
    ...Object.fromEntries(given),
    columns: { ...base.columns, ...Object.fromEntries(columns) },
    fields: { ...base.fields, ...Object.fromEntries(parsePairs(call, 'set')) },
  };
}

function readMappingFile(file: string): Mapping {
  try {
    return parseMapping(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    const { message } = cause as Error;
    throw new UsageError(
      cause instanceof InvalidFileError ? message : `--mapping ${file}: ${message}`,
    );
  }
}

function parsePairs(call: CommandCall, option: 'map' | 'set'): [string, string][] {
  return call.getAll(option).map((pair) => {
    // A field's name has no = in it; a column's, or a text, may.
    const at = option === 'map' ? pair.lastIndexOf('=') : pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || name === '') throw new UsageError(`--${option} must be NAME=WHAT, not "${pair}"`);
    return [name, value];
  });
}

function parseChoice(option: string, value: unknown, words: readonly string[]): string | undefined {
  if (value === undefined || words.includes(String(value))) return value as string | undefined;
  const allowed = words.map((word) => `"${word}"`).join(' or ');
  throw new UsageError(`--${option} must be ${allowed}, not "${value}"`);
}

function parseRowNumber(text: string | boolean): number {
  if (/^[1-9]\d{0,6}$/.test(String(text))) return Number(text);
  throw new UsageError('--header-row must be a whole number from 1');
}

import { readFileSync } from 'node:fs';
import { MAX_SETTLEMENT_DAYS } from '../bonds/index.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import {
  FILE_FORMATS,
  InvalidFileError,
  type NamedFile,
  TEXT_ENCODINGS,
} from '../formats/read-contents.ts';
import type { AdapterOptions, AdapterRunOptions } from '../publish/adapter/run-adapter.ts';
import { DATE_ORDERS } from '../publish/cells/value-format.ts';
import { findIneffectiveKey } from '../publish/mapping/ineffective-keys.ts';
import { type Mapping, parseMapping } from '../publish/mapping/mapping.ts';
import { parseDuration } from '../shared/duration.ts';
import { explainReadError } from '../shared/file-error.ts';
import { parseNumberOption } from './arguments.ts';
import { type CommandCall, type CommandOption, UsageError } from './command.ts';
import { parseRuleOptions } from './rule-options.ts';

/** The options of every command that reads a file. */
export const FILE_OPTIONS = {
  format: { placeholder: 'FORMAT', help: `One of ${FILE_FORMATS.join(', ')} (default: detected)` },
  encoding: {
    placeholder: 'NAME',
    help: `Text encoding: ${TEXT_ENCODINGS.join(', ')} (default: detected)`,
  },
} as const satisfies Record<string, CommandOption>;

export function parseFileOptions({ options: { format, encoding, sheet } }: CommandCall) {
  return {
    format: parseChoice('format', format, FILE_FORMATS),
    encoding: parseChoice('encoding', encoding, TEXT_ENCODINGS),
    sheet: sheet === undefined ? undefined : String(sheet),
  };
}

/** The mapping file, or the options of the adapter, overridden by the options of the call. */
export function parseMappingOptions(
  call: CommandCall,
  dataset: Dataset,
  adapterOptions?: AdapterOptions,
): Mapping {
  const { mapping: file, decimal, periods, dates, blank, uncomputable } = call.options;
  const base: Mapping = typeof file === 'string' ? readMappingFile(file) : (adapterOptions ?? {});
  if (base.dataset !== undefined && base.dataset !== dataset.name) {
    const what = adapterOptions ? 'adapter' : 'mapping';
    throw new UsageError(`the ${what} is for ${base.dataset}, not for ${dataset.name}`);
  }
  const columns = parsePairs(call, 'map').map(([column, field]) => [
    column,
    field === '' ? null : field,
  ]);
  const overrides = {
    ...parseFileOptions(call),
    headerRow: parseNumberOption(call, 'header-row', 1, 9_999_999),
    decimal: parseChoice('decimal', decimal, ['.', ',']),
    periods: parseChoice('periods', periods, ['sbp']),
    dates: parseChoice('dates', dates, DATE_ORDERS),
    blank: parseChoice('blank', blank, ['zero', 'absent']),
    settlementDays: parseNumberOption(call, 'settlement-days', 0, MAX_SETTLEMENT_DAYS),
    uncomputable: parseChoice('uncomputable', uncomputable, ['zero']),
  };
  const overridden = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  );
  assertEffective(base, dataset, (key) => `${file ?? 'the adapter'}: "${key}"`);
  assertEffective(overridden, dataset, (key) => `--${toOptionName(key)}`);
  return {
    ...base,
    ...overridden,
    columns: { ...base.columns, ...Object.fromEntries(columns) },
    fields: { ...base.fields, ...Object.fromEntries(parsePairs(call, 'set')) },
    ...parseRuleOptions(call, base, dataset),
  };
}

/** The option for a mapping key: `header-row` for `headerRow`. */
function toOptionName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function assertEffective(mapping: Mapping, dataset: Dataset, formatKey: (key: string) => string) {
  const found = findIneffectiveKey(mapping, dataset);
  if (!found) return;
  const { key, reason } = found;
  throw new UsageError(`${formatKey(key)} has no effect on ${dataset.name}: ${reason}`);
}

/** The options for reading columns, which an adapter does itself. */
const COLUMN_OPTIONS = ['mapping', 'map', 'header-row'];

export function parseAdapterOption({ options }: CommandCall): NamedFile | undefined {
  const { adapter } = options;
  if (typeof adapter !== 'string') {
    const other = ADAPTER_OPTIONS.find((name) => options[name] !== undefined);
    if (other !== undefined) throw new UsageError(`--${other} needs --adapter FILE`);
    return undefined;
  }
  const other = COLUMN_OPTIONS.find((name) => options[name] !== undefined);
  if (other === undefined) return { path: adapter, name: adapter };
  throw new UsageError(`--${other} has no effect with --adapter, which reads the columns itself`);
}

const ADAPTER_OPTIONS = ['adapter-timeout', 'adapter-env'];
const DEFAULT_ADAPTER_TIMEOUT = '60s';

export function parseAdapterRunOptions(call: CommandCall): AdapterRunOptions {
  const timeout = String(call.options['adapter-timeout'] ?? DEFAULT_ADAPTER_TIMEOUT);
  const timeoutMs = timeout === 'off' ? undefined : parseDuration(timeout);
  if (timeout !== 'off' && !timeoutMs)
    throw new UsageError('--adapter-timeout must be a time such as 60s or 10min, or off');
  const variables = call.getAll('adapter-env');
  const missing = variables.find((name) => !Object.hasOwn(process.env, name));
  if (missing !== undefined)
    throw new UsageError(`--adapter-env ${missing}: the environment has no such variable`);
  return { timeoutMs, variables };
}

function readMappingFile(file: string): Mapping {
  try {
    return parseMapping(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    if (cause instanceof InvalidFileError) throw new UsageError(cause.message);
    throw new UsageError(`--mapping ${file} ${explainReadError(cause)}`);
  }
}

function parsePairs(call: CommandCall, option: 'map' | 'set'): [string, string][] {
  return call.getAll(option).map((pair) => {
    // Field names contain no =, but column names and texts may.
    const separator = option === 'map' ? pair.lastIndexOf('=') : pair.indexOf('=');
    const [name, value] = [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()];
    if (separator < 1 || name === '')
      throw new UsageError(`--${option} must be NAME=VALUE, not "${pair}"`);
    return [name, value];
  });
}

export function parseChoice<const Choice extends string>(
  option: string,
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  const choice = choices.find((candidate) => candidate === value);
  if (value === undefined || choice !== undefined) return choice;
  const allowed = choices.map((choice) => `"${choice}"`).join(' or ');
  throw new UsageError(`--${option} must be ${allowed}, not "${value}"`);
}

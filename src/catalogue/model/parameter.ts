import { isDay } from '../../calendar.ts';
import type { ApiErrorCode } from './api-errors.ts';
import type { JsonSchema } from './json-schema.ts';

/** A query parameter: what it means, and how its text becomes a value. */
export interface Parameter<T = unknown> {
  readonly description: string;
  /** What is allowed, in words that follow "must be". */
  readonly requirement: string;
  readonly schema: JsonSchema;
  readonly example: string;
  /** The failure that an absent or empty value makes; without it the parameter is optional. */
  readonly requiredError?: ApiErrorCode;
  /** The value, or undefined where the text is not allowed. The text is never empty. */
  readonly parse: (text: string) => T | undefined;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values that parameters give; each may be absent. */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P]?: P[Name] extends Parameter<infer T> ? T : never;
};

export const textParameter = (meaning: string, example: string): Parameter<string> => ({
  description: meaning,
  requirement: 'text that is not empty',
  schema: { type: 'string', minLength: 1 },
  example,
  parse: (text) => text,
});

export const dayParameter = (meaning: string, example: string): Parameter<string> => ({
  description: meaning,
  requirement: 'a calendar day as YYYY-MM-DD',
  schema: { type: 'string', format: 'date' },
  example,
  parse: (text) => (isDay(text) ? text : undefined),
});

export const choiceParameter = <const Word extends string>(
  meaning: string,
  words: readonly Word[],
  fallback?: NoInfer<Word>,
): Parameter<Word> => ({
  description: meaning,
  requirement: `one of ${words.join(', ')}`,
  schema: { type: 'string', enum: words, ...(fallback && { default: fallback }) },
  example: fallback ?? words[0] ?? '',
  parse: (text) => words.find((word) => word === text),
});

export const integerParameter = (
  meaning: string,
  { most: max = Number.MAX_SAFE_INTEGER, fallback }: { most?: number; fallback?: number } = {},
): Parameter<number> => ({
  description: meaning,
  requirement: `a whole number from 1 to ${max}, in plain digits`,
  schema: { type: 'integer', minimum: 1, maximum: max, ...(fallback && { default: fallback }) },
  example: '5',
  parse: (text) => (/^[1-9]\d*$/.test(text) && Number(text) <= max ? Number(text) : undefined),
});

import { isDay } from '../../shared/calendar.ts';
import type { JsonSchema } from './json-schema.ts';

/** A query or path parameter: its description, and how its text becomes a value. */
export interface Parameter<T = unknown> {
  readonly description: string;
  /** Follows "must be" in messages. */
  readonly requirement: string;
  readonly schema: JsonSchema;
  readonly example: string;
  /** Whether requests need it; the operation itself decides the response without it. */
  readonly isRequired?: true;
  /** The value, or undefined if the text is invalid. Never called with an empty text. */
  readonly parse: (text: string) => T | undefined;
  /** Explains why `parse` rejects a text, if the requirement does not say it. */
  readonly explain?: (text: string) => string | undefined;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The parsed values of parameters; each may be absent. */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P]?: P[Name] extends Parameter<infer T> ? T : never;
};

/** Builders of parameters, by the kind of value. */
export const parameter = {
  text: (description: string, example: string): Parameter<string> => ({
    description,
    requirement: 'text that is not empty',
    schema: { type: 'string', minLength: 1 },
    example,
    parse: (text) => text,
  }),

  /** A revision, or 0 for none. */
  revision: (description: string): Parameter<number> => ({
    description,
    requirement: 'the number of a revision, or 0 for none, in plain digits',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: '5',
    parse: (text) =>
      /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
        ? Number(text)
        : undefined,
  }),

  /** One text, or several, comma-separated. */
  list: (
    description: string,
    { items, max, example }: { items: string; max: number; example: string },
  ): Parameter<string> => ({
    description,
    requirement: `at most ${max} ${items}, with commas between them, and without space around each`,
    schema: { type: 'string', minLength: 1 },
    example,
    parse(text) {
      const texts = text.split(',');
      if (texts.length === 1) return text;
      const isValid =
        texts.length <= max && texts.every((item) => item !== '' && item === item.trim());
      return isValid ? text : undefined;
    },
  }),

  day: (description: string, example: string): Parameter<string> => ({
    description,
    requirement: 'a calendar day as YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    example,
    parse: (text) => (isDay(text) ? text : undefined),
  }),

  choice: <const Choice extends string>(
    description: string,
    choices: readonly Choice[],
    defaultChoice?: NoInfer<Choice>,
  ): Parameter<Choice> => ({
    description,
    requirement: choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`,
    schema: { type: 'string', enum: choices, ...(defaultChoice && { default: defaultChoice }) },
    example: defaultChoice ?? choices[0] ?? '',
    parse: (text) => choices.find((choice) => choice === text),
  }),

  /** The name of one of the items, parsed to the item. */
  namedItem: <Item extends { readonly name: string }>(
    description: string,
    items: readonly Item[],
  ): Parameter<Item> => ({
    ...parameter.choice(
      description,
      items.map(({ name }) => name),
    ),
    parse: (text) => items.find(({ name }) => name === text),
  }),

  integer: (
    description: string,
    { max = Number.MAX_SAFE_INTEGER, defaultValue }: { max?: number; defaultValue?: number } = {},
  ): Parameter<number> => ({
    description,
    requirement: `a whole number from 1 to ${max}, in plain digits`,
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: max,
      ...(defaultValue && { default: defaultValue }),
    },
    example: '5',
    parse: (text) => (/^[1-9]\d*$/.test(text) && Number(text) <= max ? Number(text) : undefined),
  }),
};

/** Continues a list after a page, as the `Link` of that page says. */
export const cursorParameter = parameter.text(
  'Continues after the last record of a response, with the same parameters: see its Link',
  'kx3Wq0l8T0u0cUq1Jm2C5A',
);

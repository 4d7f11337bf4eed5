import { asOfParameter, cursorParameter, type Parameter, parameter } from './parameter.ts';
import { RESPONSE_FORMATS, type ResponseFormatName } from './response-format.ts';

const FORMAT_NAMES = Object.keys(RESPONSE_FORMATS) as ResponseFormatName[];

export const formatParameter = (
  names: readonly ResponseFormatName[],
): Parameter<ResponseFormatName> =>
  parameter.choice('Format of the response, as by the header Accept, and wins over it', names);

/** The parameters of every operation whose data is a table. */
export const TABLE_PARAMETERS = {
  as_of: asOfParameter,
  format: formatParameter(FORMAT_NAMES),
} as const;

/** The default limit of records, revisions and changes. */
export const DEFAULT_LIMIT = 100;

/** The maximum number of records in a page. */
export const MAX_LIMIT = 10_000;

/** The parameters of paginated lists. */
export const pageParameters = (items: string, defaultValue = DEFAULT_LIMIT) => ({
  limit: parameter.integer(`Maximum number of ${items} to return`, {
    max: MAX_LIMIT,
    defaultValue,
  }),
  cursor: cursorParameter,
});

/** The fields to include in a table. */
export const fieldsParameter = (names: readonly string[]): Parameter<readonly string[]> => ({
  description:
    'Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them',
  requirement: `names separated by commas, each once, of ${names.join(', ')}`,
  schema: { type: 'string', minLength: 1 },
  example: names.slice(0, 2).join(','),
  parse(text) {
    const requested = text.split(',');
    const fields = names.filter((name) => requested.includes(name));
    return fields.length === requested.length ? fields : undefined;
  },
  explain(text) {
    const requested = text.split(',');
    const unknown = requested.find((name) => !names.includes(name));
    if (unknown === undefined) return 'one comes twice';
    // Anything else might be a secret pasted by mistake: it must not appear in messages or logs.
    return NAME_PATTERN.test(unknown) ? `"${unknown}" is not one of them` : undefined;
  },
});

const NAME_PATTERN = /^[\w.]{1,30}$/;

/** The parameters of the lists of securities and funds, whose records have these fields. */
export const createListParameters = (fields: readonly string[]) => ({
  q: parameter.text(
    'Only those with this text in an identifier or in the name; letter case and accents are ignored',
    'bank',
  ),
  limit: parameter.integer('Maximum number of records to return; all of them without it', {
    max: MAX_LIMIT,
  }),
  cursor: cursorParameter,
  fields: fieldsParameter(fields),
  ...TABLE_PARAMETERS,
});

import { type Mapping, validateMapping } from '../mapping/mapping.ts';

/** Keys of a mapping about columns, which an adapter reads itself. */
const COLUMN_KEYS = ['columns', 'otherColumns', 'fields', 'lookup', 'headerRow'] as const;

/** The `options` that an adapter may export: how its texts are to be read, as in a mapping. */
export type AdapterOptions = Omit<Mapping, (typeof COLUMN_KEYS)[number]>;

export function parseAdapterOptions(options: unknown, name: string): AdapterOptions {
  return options === undefined ? {} : validateMapping(options, `${name}, options`, COLUMN_KEYS);
}

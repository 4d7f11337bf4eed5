/** A format of messages: its own media type and version, and the plain types that mean it too. */
export interface OfferedFormat<Name extends string = string> {
  readonly name: Name;
  readonly mediaType: string;
  readonly version: string;
  readonly plainTypes: readonly string[];
}

export const STRUCTURE_OFFERS = [
  {
    name: 'xml',
    mediaType: 'application/vnd.sdmx.structure+xml',
    version: '2.1',
    plainTypes: ['application/xml', 'text/xml'],
  },
  {
    name: 'json',
    mediaType: 'application/vnd.sdmx.structure+json',
    version: '2.0.0',
    plainTypes: ['application/json'],
  },
] as const satisfies readonly OfferedFormat<string>[];

const XML_DATA = {
  name: 'xml',
  mediaType: 'application/vnd.sdmx.structurespecificdata+xml',
  version: '2.1',
  plainTypes: ['application/xml', 'text/xml'],
} as const;
const CSV = { mediaType: 'application/vnd.sdmx.data+csv', plainTypes: ['text/csv'] } as const;
const CSV_1 = { ...CSV, name: 'csv', version: '1.0.0' } as const;
const CSV_2 = { ...CSV, name: 'csv2', version: '2.0.0' } as const;

/** Of the two with one media type, each version of REST prefers the one of its time. */
export const DATA_OFFERS = {
  '2.1': [XML_DATA, CSV_1, CSV_2],
  '2': [XML_DATA, CSV_2, CSV_1],
} as const;

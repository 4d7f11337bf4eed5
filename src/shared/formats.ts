/** A format of files and of responses; clients request it by its media type in `Accept`. */
export interface Format {
  readonly mediaType: string;
  readonly contentType: string;
  readonly extension: string;
  readonly description: string;
  /** Its rank among response formats, 1 for the most preferred, or null; whether exports offer it; whether files are loaded and written in it. */
  readonly uses: { readonly responseRank: number | null; readonly isExport: boolean; readonly isFile: boolean };
  readonly traits: {
    /** Text, which a terminal can show and whose files have an encoding. */
    readonly isText: boolean;
    /** Whether records have no envelope, so that `fields` can select columns; whether they are rows of cells. */
    readonly isFlat: boolean;
    readonly isTable: boolean;
    readonly isCompressed: boolean;
    /** Can hold lines about a table. */
    readonly hasMetadata: boolean;
    /** Whether it always does, since people see them; if not, only what a table lacks is said. */
    readonly isDescribed: boolean;
    /** The number of JSON records that take about as long to write as one of this format. */
    readonly weight: number;
  };
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** In the order in which messages about files name them. */
export const FORMATS = {
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    description: 'RFC 4180 with a header row; nested lists as columns such as `provinces.punjab`',
    uses: { responseRank: 2, isExport: true, isFile: true },
    traits: { isText: true, isFlat: true, isTable: true, isCompressed: false, hasMetadata: false, isDescribed: false, weight: 2 },
  },
  tsv: {
    mediaType: 'text/tab-separated-values',
    contentType: 'text/tab-separated-values; charset=utf-8',
    extension: 'tsv',
    description: 'As CSV, with tabs',
    uses: { responseRank: null, isExport: false, isFile: true },
    traits: { isText: true, isFlat: true, isTable: true, isCompressed: false, hasMetadata: false, isDescribed: false, weight: 2 },
  },
  json: {
    mediaType: 'application/json',
    contentType: 'application/json; charset=utf-8',
    extension: 'json',
    description: 'The envelope with its data',
    uses: { responseRank: 1, isExport: false, isFile: true },
    traits: { isText: true, isFlat: false, isTable: false, isCompressed: false, hasMetadata: false, isDescribed: false, weight: 1 },
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    description: 'A record on each line, as JSON',
    uses: { responseRank: 3, isExport: true, isFile: true },
    traits: { isText: true, isFlat: true, isTable: false, isCompressed: false, hasMetadata: false, isDescribed: false, weight: 1 },
  },
  xlsx: {
    mediaType: SPREADSHEET,
    contentType: SPREADSHEET,
    extension: 'xlsx',
    description:
      'An Excel workbook: a sheet with columns as in CSV, dates and numbers as such, and the sheet About with the request, the revision and the unit of each column',
    uses: { responseRank: 6, isExport: false, isFile: true },
    traits: { isText: false, isFlat: true, isTable: true, isCompressed: true, hasMetadata: true, isDescribed: true, weight: 10 },
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    contentType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    description: 'A Parquet file; columns as in CSV, with types',
    uses: { responseRank: 5, isExport: true, isFile: true },
    traits: { isText: false, isFlat: true, isTable: true, isCompressed: true, hasMetadata: true, isDescribed: false, weight: 2 },
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    contentType: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    description: 'An Arrow IPC stream; columns as in CSV, with types',
    uses: { responseRank: 4, isExport: false, isFile: false },
    traits: { isText: false, isFlat: true, isTable: true, isCompressed: false, hasMetadata: true, isDescribed: false, weight: 2 },
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

/** The names of the formats with these uses and traits. */
export type FormatWith<Uses extends Partial<Format['uses']>, Traits extends Partial<Format['traits']> = object> = {
  [Name in FormatName]: (typeof FORMATS)[Name] extends { uses: Uses; traits: Traits } ? Name : never;
}[FormatName];

/** The names of the formats that fulfil a condition, in the order of the table. */
export function listFormats<Name extends FormatName>(is: (format: Format) => boolean): readonly Name[] {
  return (Object.keys(FORMATS) as Name[]).filter((name) => is(FORMATS[name]));
}

export type ExportFormat = FormatWith<{ isExport: true }>;
export const EXPORT_FORMATS = listFormats<ExportFormat>(({ uses }) => uses.isExport);

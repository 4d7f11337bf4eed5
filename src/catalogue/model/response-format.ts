/** A form that an answer can take, asked for by its media type in `Accept`. */
export interface ResponseFormat {
  readonly mediaType: string;
  /** What stands in `Content-Type`. */
  readonly contentType: string;
  /** Of a file that holds it. */
  readonly extension: string;
  readonly meaning: string;
  /** Whether it is worth compressing on its way. */
  readonly isCompressible: boolean;
}

/** Every form, in the order of preference where a client does not mind. */
export const RESPONSE_FORMATS = {
  json: {
    mediaType: 'application/json',
    contentType: 'application/json; charset=utf-8',
    extension: 'json',
    meaning: 'The envelope with its data',
    isCompressible: true,
  },
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    meaning: 'RFC 4180 with a header row; nested lists as columns such as `provinces.punjab`',
    isCompressible: true,
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    meaning: 'A record on each line, as JSON',
    isCompressible: true,
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    contentType: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    meaning: 'An Arrow IPC stream; columns as in CSV, with types',
    isCompressible: true,
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    contentType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    meaning: 'A Parquet file; columns as in CSV, with types',
    isCompressible: false,
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    meaning: 'An Excel workbook of one sheet; columns as in CSV, dates and numbers as such',
    isCompressible: false,
  },
} as const satisfies Record<string, ResponseFormat>;

export type ResponseFormatName = keyof typeof RESPONSE_FORMATS;

/** A format of responses, requested by its media type in `Accept`. */
export interface ResponseFormat {
  readonly mediaType: string;
  readonly contentType: string;
  readonly extension: string;
  readonly description: string;
  /** Whether it compresses its contents itself. */
  readonly isCompressed?: true;
}

/** Every format, most preferred first. */
export const RESPONSE_FORMATS = {
  json: {
    mediaType: 'application/json',
    contentType: 'application/json; charset=utf-8',
    extension: 'json',
    description: 'The envelope with its data',
  },
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    description: 'RFC 4180 with a header row; nested lists as columns such as `provinces.punjab`',
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    description: 'A record on each line, as JSON',
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    contentType: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    description: 'An Arrow IPC stream; columns as in CSV, with types',
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    contentType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    description: 'A Parquet file; columns as in CSV, with types',
    isCompressed: true,
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    description:
      'An Excel workbook: a sheet with columns as in CSV, dates and numbers as such, and the sheet About with the request, the revision and the unit of each column',
    isCompressed: true,
  },
} as const satisfies Record<string, ResponseFormat>;

export type ResponseFormatName = keyof typeof RESPONSE_FORMATS;

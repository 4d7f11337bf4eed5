import type { Dataset } from '../model/dataset.ts';
import type { Operation } from '../model/operation.ts';
import type { Parameter } from '../model/parameter.ts';
import { RESPONSE_FORMATS } from '../model/response-format.ts';

/** The forms that a whole dataset can be had in: those that can be sent while they are made. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file that holds a whole dataset. */
export interface ExportFile {
  readonly name: string;
  readonly dataset: Dataset;
  readonly format: ExportFormat;
}

/** Whole datasets as files. */
export const exportsOperation = (catalogue: readonly Dataset[]) =>
  ({
    name: 'exports',
    tag: 'exports',
    supportsAsOf: true,
    title: 'Whole datasets',
    description:
      'Every record of a dataset as a file, in the order of its answers and all from one revision. It is sent while it is made, and a download that broke off goes on with `Range`, where `If-Range` has the `ETag` of what is there already: it then gets the rest of that very file, even if the data has changed since. Fund allocation has a row for each class in each period.',
    path: '/exports/{file}',
    pathParameters: { file: createFileParameter(catalogue) },
    parameters: {},
    fileFormats: EXPORT_FORMATS.map((format) => RESPONSE_FORMATS[format]),
    dataSchema: { type: 'string', description: 'The file' },
    example: buildExportExample(catalogue),
  }) satisfies Operation;

function createFileParameter(catalogue: readonly Dataset[]): Parameter<ExportFile> {
  const files = catalogue.flatMap((dataset) =>
    EXPORT_FORMATS.map((format) => ({ name: `${dataset.name}.${format}`, dataset, format })),
  );
  return {
    description: 'Name of the dataset, and as its extension the form of the file',
    requirement: `the name of a dataset with one of .${EXPORT_FORMATS.join(', .')}`,
    schema: { type: 'string', enum: files.map(({ name }) => name) },
    example: files[0]?.name ?? '',
    parse: (text) => files.find(({ name }) => name === text),
  };
}

/** The first line of a file as NDJSON. */
function buildExportExample(catalogue: readonly Dataset[]): string {
  return catalogue[0] ? `${JSON.stringify(catalogue[0].example)}\n` : '';
}

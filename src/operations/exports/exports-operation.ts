import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { asOfParameter, parameter } from '../../catalogue/model/parameter.ts';
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from '../../shared/formats.ts';

/** A file with a complete dataset. */
export interface ExportFile {
  readonly name: string;
  readonly dataset: Dataset;
  readonly format: ExportFormat;
}

export const exportsOperation = (catalogue: readonly Dataset[]) =>
  ({
    name: 'exports',
    tag: 'exports',
    supportsAsOf: true,
    title: 'Complete datasets',
    description:
      'Every record of a dataset as a streamed file, in the order of the dataset and all from one revision. Resume an interrupted download with `Range`, and with the `ETag` of the file in `If-Range`: the rest of the same file is sent even if the data has changed since. Fund allocation has a row for each class in each period.',
    path: '/exports/{file}',
    pathParameters: {
      file: {
        ...parameter.namedItem(
          'Name of the dataset, with the extension of the format',
          listFiles(catalogue),
        ),
        requirement: `the name of a dataset with one of .${EXPORT_FORMATS.join(', .')}`,
      },
    },
    // The format is in the name of the file.
    parameters: { as_of: asOfParameter },
    fileFormats: EXPORT_FORMATS.map((format) => FORMATS[format]),
    dataSchema: { type: 'string', description: 'The file' },
    // The first line of an NDJSON file.
    example: catalogue[0] ? `${JSON.stringify(catalogue[0].example)}\n` : '',
  }) satisfies Operation;

function listFiles(catalogue: readonly Dataset[]): ExportFile[] {
  return catalogue.flatMap((dataset) =>
    EXPORT_FORMATS.map((format) => ({ name: `${dataset.name}.${format}`, dataset, format })),
  );
}

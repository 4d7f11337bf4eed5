import { quotes } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { createCorrectionsWidget } from './corrections-widget.ts';
import { createDatasetWidgets } from './dataset-widgets.ts';
import { QUOTE_WIDGETS } from './quote-widgets.ts';
import type { Widget } from './widget.ts';

/** Every widget, from the catalogue. */
export function listWidgets(catalogue: readonly Dataset[]): readonly Widget[] {
  return [
    ...(catalogue.some(({ name }) => name === quotes.name) ? QUOTE_WIDGETS : []),
    ...catalogue.flatMap(createDatasetWidgets),
    createCorrectionsWidget(catalogue),
  ];
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.DATASET_PATH = void 0;
exports.combineDatasets = combineDatasets;
exports.DATASET_PATH = '/datasets/{dataset}';
/** Combines the paged operations of the datasets, with the dataset first. */
function combineDatasets(createOperation) {
    return Object.assign((dataset, ...args) => createOperation(dataset)(...args), {
        pages: (dataset, ...args) => createOperation(dataset).pages(...args),
        all: (dataset, ...args) => createOperation(dataset).all(...args),
    });
}

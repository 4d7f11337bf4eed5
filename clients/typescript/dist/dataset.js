export const DATASET_PATH = '/datasets/{dataset}';
/** Combines the paged operations of the datasets, with the dataset first. */
export function combineDatasets(createOperation) {
    return Object.assign((dataset, ...args) => createOperation(dataset)(...args), {
        pages: (dataset, ...args) => createOperation(dataset).pages(...args),
        all: (dataset, ...args) => createOperation(dataset).all(...args),
    });
}

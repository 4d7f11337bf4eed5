/** Combines the paged operations of the datasets. */
export function createChanges(createOperation) {
    // The records of one dataset have its type.
    const select = (dataset) => createOperation(dataset);
    return Object.assign((dataset, ...args) => select(dataset)(...args), {
        pages: (dataset, ...args) => select(dataset).pages(...args),
        all: (dataset, ...args) => select(dataset).all(...args),
    });
}

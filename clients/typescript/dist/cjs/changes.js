"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createChanges = createChanges;
/** Combines the paged operations of the datasets. */
function createChanges(createOperation) {
    // The records of one dataset have its type.
    const select = (dataset) => createOperation(dataset);
    return Object.assign((dataset, ...args) => select(dataset)(...args), {
        pages: (dataset, ...args) => select(dataset).pages(...args),
        all: (dataset, ...args) => select(dataset).all(...args),
    });
}

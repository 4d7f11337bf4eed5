export const DATASET_PATH = '/datasets/{dataset}';
/** Combines the paged operations of datasets, or of other subjects, with the subject first. */
export function combineBySubject(createOperation) {
    return Object.assign((subject, ...args) => createOperation(subject)(...args), {
        pages: (subject, ...args) => createOperation(subject).pages(...args),
        all: (subject, ...args) => createOperation(subject).all(...args),
    });
}

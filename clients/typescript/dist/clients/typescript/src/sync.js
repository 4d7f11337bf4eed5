/** Does the same as `tenor.sync`. */
export function syncCopy(tenor, dataset, path) {
    return tenor.sync(dataset, path);
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.syncCopy = syncCopy;
/** Does the same as `tenor.sync`. */
function syncCopy(tenor, dataset, path) {
    return tenor.sync(dataset, path);
}

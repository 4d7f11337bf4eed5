"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.TenorError = exports.Tenor = exports.alignedColumn = void 0;
var aligned_ts_1 = require("./aligned.js");
Object.defineProperty(exports, "alignedColumn", { enumerable: true, get: function () { return aligned_ts_1.alignedColumn; } });
var client_ts_1 = require("./client.js");
Object.defineProperty(exports, "Tenor", { enumerable: true, get: function () { return client_ts_1.Tenor; } });
var errors_ts_1 = require("./errors.js");
Object.defineProperty(exports, "TenorError", { enumerable: true, get: function () { return errors_ts_1.TenorError; } });

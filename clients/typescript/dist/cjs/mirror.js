"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Mirror = void 0;
var mirror_ts_1 = require("./mirror/mirror.js");
Object.defineProperty(exports, "Mirror", { enumerable: true, get: function () { return mirror_ts_1.Mirror; } });

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.VINTAGES_PATH = void 0;
exports.VINTAGES_PATH = '/vintages/{dataset}';

export const VINTAGES_PATH = '/vintages/{dataset}';

// Made by `npm run docs` from the OpenAPI document of the service. Changes here are lost.
/** The path of each operation. */
export const PATHS = {
    quotes: '/2.0/bnb/quote',
    'fund-allocation': '/3.0/funds/allocation',
    'atm-transactions-annual-volume': '/3.0/alternate/atm-transactions-annual-volume',
    'atm-transactions-quarterly-value': '/3.0/alternate/atm-transactions-quarterly-value',
    'branchless-banking-agents': '/3.0/alternate/branchless-banking-agents',
    'ivr-banking-annual-value': '/3.0/alternate/ivr-banking-annual-value',
    'mobile-money-accounts-male': '/3.0/alternate/mobile-money-accounts-male',
    'mobile-money-market-share-value': '/3.0/alternate/mobile-money-market-share-value',
    'online-banking-annual-volume': '/3.0/alternate/online-banking-annual-volume',
    'payments-market-players': '/3.0/alternate/payments-market-players',
    'pos-transactions-quarterly-volume': '/3.0/alternate/pos-transactions-quarterly-volume',
    'settlement-transactions-value': '/3.0/alternate/settlement-transactions-value',
    catalogue: '/catalogue',
    securities: '/2.0/bnb/securities',
    funds: '/3.0/funds',
    curve: '/2.0/bnb/curve',
    analytics: '/2.0/bnb/analytics',
    cashflows: '/2.0/bnb/cashflows',
    aligned: '/aligned',
    revisions: '/revisions',
    revision: '/revisions/{n}',
    corrections: '/corrections/{dataset}',
    changes: '/changes/{dataset}',
    vintages: '/vintages/{dataset}',
    'ledger-proof': '/ledger/proof/{n}',
    'ledger-keys': '/ledger/keys',
};
/** The statistical series. */
export const SERIES = [
    'atm-transactions-annual-volume',
    'atm-transactions-quarterly-value',
    'branchless-banking-agents',
    'ivr-banking-annual-value',
    'mobile-money-accounts-male',
    'mobile-money-market-share-value',
    'online-banking-annual-volume',
    'payments-market-players',
    'pos-transactions-quarterly-volume',
    'settlement-transactions-value',
];
/** Every operation with formats other than JSON. */
export const TABLES = [
    'quotes',
    'fund-allocation',
    'catalogue',
    'securities',
    'funds',
    'curve',
    'analytics',
    'cashflows',
    'aligned',
    'corrections',
    'changes',
    'vintages',
    ...SERIES,
];
/** The media type of each format other than JSON. */
export const MEDIA_TYPES = {
    /** RFC 4180 with a header row; nested lists as columns such as `provinces.punjab` */
    csv: 'text/csv',
    /** A record on each line, as JSON */
    ndjson: 'application/x-ndjson',
    /** An Arrow IPC stream; columns as in CSV, with types */
    arrow: 'application/vnd.apache.arrow.stream',
    /** A Parquet file; columns as in CSV, with types */
    parquet: 'application/vnd.apache.parquet',
    /** An Excel workbook: a sheet with columns as in CSV, dates and numbers as such, and the sheet About with the request, the revision and the unit of each column */
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
/** The path of complete datasets. */
export const EXPORTS = '/exports/{file}';
/** The fields that identify records, and their order, where each record is one row. */
export const RECORD_ORDERS = {
    quotes: [['date', 'descending'], ['symbol', 'ascending']],
    securities: [['symbol', 'folded']],
    funds: [['fund_id', 'folded']],
    holidays: [['calendar', 'folded'], ['date', 'ascending']],
    datasets: [['name', 'folded']],
};
/** The fields that are lists or objects, where each record is one row of a table. */
export const NESTED_FIELDS = {
    'branchless-banking-agents': ['provinces'],
    'mobile-money-accounts-male': ['provinces'],
    'mobile-money-market-share-value': ['operators'],
    datasets: ['notes', 'period', 'dimensions', 'measures', 'checks', 'schedule', 'chart'],
};
/** The periods of series. */
export const PERIOD_UNITS = {
    'atm-transactions-annual-volume': 'year',
    'atm-transactions-quarterly-value': 'quarter',
    'branchless-banking-agents': 'month',
    'ivr-banking-annual-value': 'year',
    'mobile-money-accounts-male': 'month',
    'mobile-money-market-share-value': 'month',
    'online-banking-annual-volume': 'year',
    'payments-market-players': 'year',
    'pos-transactions-quarterly-volume': 'quarter',
    'settlement-transactions-value': 'month',
};

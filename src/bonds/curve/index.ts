export * from './cash-flows.ts';
export * from './curve-rates.ts';
export * from './fit-discount-curve.ts';
export * from './fit-yields.ts';
export * from './horizon-return.ts';
export * from './key-rates.ts';
export * from './market-curve.ts';
export * from './z-spread.ts';

/** The quality report: what to look at in data that is accepted. Warnings, never refusals. */
export { periodGaps } from './period-gaps.ts';
export { type QuoteWatch, quoteWatch } from './quote-watch.ts';
export { recordWarnings } from './record-warnings.ts';
export { BOUNDS, WARNING_RULES, type Warning, type WarningRule } from './rules.ts';

/** The quality report: what to look at in data that is accepted. Warnings, never refusals. */
export { findPeriodGaps } from './period-gaps.ts';
export { createQuoteMonitor, type QuoteMonitor } from './quote-monitor.ts';
export { findRecordWarnings } from './record-warnings.ts';
export {
  NO_WARNINGS,
  WARNING_RULES,
  WARNING_THRESHOLDS,
  type Warning,
  type WarningRule,
} from './warning-rules.ts';

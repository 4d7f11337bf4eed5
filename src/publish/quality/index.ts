/** Warnings about valid data. */
export { findPeriodGaps } from './period-gaps.ts';
export { QuoteMonitor } from './quote-monitor.ts';
export { findRecordWarnings } from './record-warnings.ts';
export {
  NO_WARNINGS,
  WARNING_RULES,
  type Warning,
  type WarningRule,
} from './warning-rules.ts';

// Tenor, as it would be if no request were counted: for the comparison with counting.
import { RequestMetrics } from '../src/http/pipeline/request-metrics.ts';

RequestMetrics.prototype.record = () => {};
await import('../src/cli/main.ts');

import { WARNING_RULES } from '../../src/publish/quality/index.ts';
import { code, page, table } from './markdown-table.ts';

/** What a load may warn of. */
export function warningsPage(): string {
  const rows = Object.entries(WARNING_RULES).map(([rule, meaning]) => [code(rule), meaning]);
  return page(
    'Warnings',
    'What `tenor load` and `tenor check` report. A warning never refuses a file, unless `--strict` is given.',
    table(['rule', 'when it warns'], rows),
  );
}

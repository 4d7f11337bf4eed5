import { WARNING_RULES } from '../../src/publish/quality/warning-rules.ts';
import { code, page, table } from './markdown-table.ts';

/** The page with every warning of a load. */
export function warningsPage(): string {
  const rows = Object.entries(WARNING_RULES).map(([rule, description]) => [
    code(rule),
    description,
  ]);
  return page(
    'Warnings',
    'What `tenor load` and `tenor check` report. A warning never rejects a file, unless `--strict` is given.',
    table(['rule', 'when it warns'], rows),
  );
}

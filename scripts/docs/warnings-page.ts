import { WARNING_RULES } from '../../src/publish/quality/warning-rules.ts';
import { code, page, table } from './markdown-table.ts';

/** The page with every warning of a load. */
export function warningsPage(): string {
  const rows = Object.entries(WARNING_RULES).map(([rule, { when }]) => [code(rule), when]);
  return page(
    'Warnings',
    'What `tenor load` and `tenor check` report. A warning never rejects a file, unless `--strict` is given, or `--refuse RULE`; `--mute RULE` leaves the warnings of a rule out. A mapping says the same with `refuse` and `mute`, lists of rules. Muted and refused rules are kept with the revision.',
    table(['rule', 'when it warns'], rows),
  );
}

import { REFUSAL_RULES } from '../../src/publish/quality/refusal-rules.ts';
import { WARNING_RULES } from '../../src/publish/quality/warning-rules.ts';
import { code, page, table } from './markdown-table.ts';

/** The page with every warning of a load. */
export function warningsPage(): string {
  const rows = Object.entries(WARNING_RULES).map(([rule, description]) => [
    code(rule),
    description,
  ]);
  const refusals = Object.entries(REFUSAL_RULES).map(([rule, { when, option }]) => [
    code(rule),
    when,
    code(option),
  ]);
  return page(
    'Warnings',
    'What `tenor load` and `tenor check` report. A warning never rejects a file, unless `--strict` is given, or `--refuse RULE`; `--mute RULE` leaves the warnings of a rule out. A mapping says the same with `refuse` and `mute`, lists of rules. Muted and refused rules are kept with the revision. Rules that speak of the newest day or of a load warn at a load alone. Figures of a series are compared with those of the period before that have the same dimension values: by a load whatever its size, and by `tenor check` for the first 20,000 combinations of values. What was not compared, and why, stands in the report of a load (`notCompared` in `--json`). [Nonsense](nonsense.md) lists what is found out by them.',
    table(['rule', 'when it warns'], rows),
    '## Refusals',
    'What `tenor load` rejects, with or without `--strict`, unless an option allows it; the revision keeps that it did. `tenor check` warns of dates in the future that are published already. Each exits with 3, and `--json` has its name as `rule`; so do a file without records (`no-records`, exit status 4, allowed by `--allow-empty`, unless `--replace` would retire all) and a clock that is wrong (`clock-skew`, allowed by `--clock-skew allow`). Where `--strict` or `--refuse` rejected warnings, `rules` has their names, and the exit status is 1.',
    table(['rule', 'when it rejects', 'allowed by'], refusals),
  );
}

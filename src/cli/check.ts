import { catalogue } from '../catalogue/index.ts';
import { check as checkStore } from '../publish/check.ts';
import { groupLines } from '../publish/report.ts';
import { openStore } from '../store/index.ts';
import type { Command } from './command.ts';
import { print, Refused } from './command.ts';
import { tally } from './publishing.ts';

export const check: Command = {
  usage: 'check [--strict] [--json]',
  summary: 'Verify the whole database, and look for what does not add up',
  options: {
    strict: { help: 'Fail where there are warnings, too' },
    json: { help: 'As JSON' },
  },
  more: 'Exit status 0: whole. 1: something is broken (or, with --strict, odd).',
  async run({ options, settings }) {
    const inspector = openStore(settings().databaseUrl, catalogue).inspector();
    try {
      const checked = await checkStore(inspector, catalogue);
      const { faults, faultCount, warnings, notes } = checked;
      const odd = warnings.reduce((sum, { count }) => sum + count, 0);
      if (options.json) print(JSON.stringify(checked, null, 2));
      else {
        for (const line of faults) print(`Fault: ${line}`);
        if (faultCount > faults.length) print(`… and ${tally(faultCount - faults.length)} more`);
        for (const line of warnings.flatMap(groupLines)) print(line);
        for (const line of notes) print(`Not checked: ${line}`);
        const seen = `${tally(checked.revisions)} revisions, ${tally(checked.rows)} records`;
        print(`Checked ${seen}: ${tally(faultCount)} faults, ${tally(odd)} warnings.`);
      }
      if (faultCount > 0) throw new Refused(`the database is damaged: ${tally(faultCount)} faults`);
      if (options.strict && odd > 0) throw new Refused(`${tally(odd)} warnings`);
    } finally {
      inspector.close();
    }
  },
};

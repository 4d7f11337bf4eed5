import { catalogue } from '../catalogue/index.ts';
import { check as checkStore } from '../publish/check.ts';
import { groupLines, tally } from '../publish/report.ts';
import { inspect } from '../store/index.ts';
import { patiently } from '../store/patience.ts';
import type { Command } from './command.ts';
import { print, Refused } from './command.ts';
import { counted } from './publishing.ts';
import { patience } from './waiting.ts';

export const check: Command = {
  usage: 'check [--strict] [--json]',
  summary: 'Verify the whole database, and look for what does not add up',
  options: {
    strict: { help: 'Fail where there are warnings, too' },
    json: { help: 'As JSON' },
  },
  more: 'Exit status 0: whole. 1: something is broken (or, with --strict, odd).',
  async run({ options, settings }) {
    const { databaseUrl } = settings();
    const inspector = await patiently(patience(), () => inspect(databaseUrl, catalogue));
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
        const seen = `${counted(checked.revisions, 'revision')}, ${counted(checked.rows, 'record')}`;
        print(`Checked ${seen}: ${counted(faultCount, 'fault')}, ${counted(odd, 'warning')}.`);
      }
      const isTold = options.json === true;
      if (faultCount > 0) {
        throw new Refused(`the database is damaged: ${counted(faultCount, 'fault')}`, isTold);
      }
      if (options.strict && odd > 0) throw new Refused(counted(odd, 'warning'), isTold);
    } finally {
      inspector.close();
    }
  },
};

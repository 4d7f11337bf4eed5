import { catalogue } from '../../catalogue/index.ts';
import { checkDatabase as checkStore } from '../../publish/check/check-database.ts';
import { openInspector } from '../../store/open-store.ts';
import { retryWhileBusy } from '../../store/retry-while-busy.ts';
import type { Command } from '../command.ts';
import { CommandError, printLine } from '../command.ts';
import { formatCount, formatWarningGroup } from '../format-report.ts';
import { createLockWaitOptions } from '../open-store.ts';
import { pluralize } from '../publishing.ts';

export const checkCommand: Command = {
  usage: 'check [--strict] [--json]',
  summary: 'Verify the whole database, and look for what does not add up',
  options: {
    strict: { help: 'Fail where there are warnings, too' },
    json: { help: 'As JSON' },
  },
  details: 'Exit status 0: whole. 1: something is broken (or, with --strict, odd).',
  async run({ options, settings }) {
    const { databaseUrl } = settings();
    const inspector = await retryWhileBusy(createLockWaitOptions(), () =>
      openInspector(databaseUrl, catalogue),
    );
    try {
      const checked = await checkStore(inspector, catalogue);
      const { faults, faultCount, warnings, notes } = checked;
      const odd = warnings.reduce((sum, { count }) => sum + count, 0);
      if (options.json) printLine(JSON.stringify(checked, null, 2));
      else {
        for (const line of faults) printLine(`Fault: ${line}`);
        if (faultCount > faults.length)
          printLine(`… and ${formatCount(faultCount - faults.length)} more`);
        for (const line of warnings.flatMap(formatWarningGroup)) printLine(line);
        for (const line of notes) printLine(`Not checked: ${line}`);
        const seen = `${pluralize(checked.revisions, 'revision')}, ${pluralize(checked.rows, 'record')}`;
        printLine(
          `Checked ${seen}: ${pluralize(faultCount, 'fault')}, ${pluralize(odd, 'warning')}.`,
        );
      }
      const isReported = options.json === true;
      if (faultCount > 0) {
        throw new CommandError(
          `the database is damaged: ${pluralize(faultCount, 'fault')}`,
          isReported,
        );
      }
      if (options.strict && odd > 0) throw new CommandError(pluralize(odd, 'warning'), isReported);
    } finally {
      inspector.close();
    }
  },
};

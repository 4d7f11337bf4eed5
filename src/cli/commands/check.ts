import { catalogue } from '../../catalogue/index.ts';
import { type CheckResult, checkDatabase } from '../../publish/check/check-database.ts';
import { openInspector } from '../../store/open-store.ts';
import { type Command, CommandError } from '../command.ts';
import { formatCount, formatWarningGroup, pluralize } from '../format.ts';
import { printJson, printLine } from '../output.ts';
import { explainMissingStore } from '../with-store.ts';

export const checkCommand: Command = {
  usage: 'check [--strict] [--json]',
  summary: 'Verify the whole database and report inconsistent data',
  options: {
    strict: { help: 'Fail if there are warnings, too' },
    json: { help: 'As JSON' },
  },
  details: 'Exit status 0: no faults. 1: faults found (with --strict: or warnings).',
  async run({ options, settings }) {
    const values = settings();
    const inspector = await explainMissingStore(values, () =>
      openInspector(values.databaseUrl, catalogue),
    );
    try {
      const result = await checkDatabase(inspector, catalogue);
      if (options.json) printJson(result);
      else printResult(result);
      const { faultCount, warnings } = result;
      const isReported = options.json === true;
      if (faultCount > 0) {
        const faults = pluralize(faultCount, 'fault');
        throw new CommandError(`the database is damaged: ${faults}`, isReported);
      }
      if (options.strict && warnings.length > 0) {
        throw new CommandError(formatWarningCount(warnings), isReported);
      }
    } finally {
      inspector.close();
    }
  },
};

function printResult({ faults, faultCount, warnings, notes, revisions, rows }: CheckResult): void {
  for (const fault of faults) printLine(`Fault: ${fault}`);
  const hidden = faultCount - faults.length;
  if (hidden > 0) printLine(`… and ${formatCount(hidden)} more`);
  for (const line of warnings.flatMap(formatWarningGroup)) printLine(line);
  for (const note of notes) printLine(`Not checked: ${note}`);
  const checked = `${pluralize(revisions, 'revision')}, ${pluralize(rows, 'record')}`;
  const problems = `${pluralize(faultCount, 'fault')}, ${formatWarningCount(warnings)}`;
  printLine(`Checked ${checked}: ${problems}.`);
}

function formatWarningCount(warnings: CheckResult['warnings']): string {
  return pluralize(
    warnings.reduce((sum, { count }) => sum + count, 0),
    'warning',
  );
}

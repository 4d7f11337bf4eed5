import { catalogue } from '../catalogue/index.ts';
import { type SampleResult, sampleStore } from '../check/sample-store.ts';
import { openScrubReader } from '../store/open-store.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';
import { formatCount, pluralize } from './format.ts';
import { printJson, printLine } from './output.ts';
import { openConfiguredStore } from './with-store.ts';

const DEFAULT_RECORDS = 10_000;

/** `tenor check --sample`. */
export async function checkSample(call: CommandCall): Promise<void> {
  const { options, positionals, settings } = call;
  if (options.strict)
    throw new UsageError('--strict and --sample cannot be combined: a sample has no warnings');
  const maxRecords = parseRecordCount(positionals[0]);
  const { readerSource } = await openConfiguredStore(settings(), { preparation: 'none' });
  if (!readerSource) throw new CommandError('this database cannot be sampled');
  const reader = openScrubReader(readerSource, catalogue);
  const result = await sampleStore(reader, catalogue, maxRecords).finally(() => reader.close());
  const isReported = options.json === true;
  if (isReported) printJson({ ...result, faultCount: result.faults.length });
  else printSample(result);
  if (result.faults.length === 0) return;
  const faults = pluralize(result.faults.length, 'fault');
  throw new CommandError(`the database is damaged: ${faults} in a sample`, isReported);
}

function parseRecordCount(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RECORDS;
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new UsageError(`--sample must be a whole number from 1 to 99999999, not "${text}"`);
}

function printSample(result: SampleResult): void {
  const { records, totalRecords, revisions, totalRevisions, faults } = result;
  for (const fault of faults) printLine(`Fault: ${fault}`);
  const share = totalRecords === 0 ? 100 : (100 * records) / totalRecords;
  const checked = `${formatCount(records)} of ${pluralize(totalRecords, 'record')} (${share.toFixed(1)} %)`;
  const sealed = `${formatCount(revisions)} of ${pluralize(totalRevisions, 'revision')} by checksum`;
  printLine(`Checked a sample, ${checked} and ${sealed}: ${pluralize(faults.length, 'fault')}.`);
}

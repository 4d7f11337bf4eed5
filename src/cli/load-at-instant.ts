import { CorePace } from '../publish/lead-time.ts';
import type { LoadOptions, LoadResult } from '../publish/load/load-files.ts';
import { DAY_MS } from '../shared/calendar.ts';
import { system } from '../shared/system.ts';
import { waitUntil } from '../shared/wait-until.ts';
import { InterruptedError } from './abort-on-signal.ts';
import { printNote } from './output.ts';
import { drawLine } from './progress-bar.ts';

/**
 * Checks a load by a dry run, and runs it again so that it is published at an instant. No database is open in
 * between. Data that is already published is not waited for.
 */
export async function loadAtInstant(
  at: Date,
  signal: AbortSignal,
  load: (options: Pick<LoadOptions, 'isDryRun' | 'checked'>) => Promise<LoadResult>,
  onChecked: (checked: LoadResult) => Promise<void>,
): Promise<LoadResult> {
  const checked = await load({ isDryRun: true });
  const { counts, report, lead } = checked;
  if (counts.added + counts.corrected + counts.retired + report.terms === 0) return checked;
  await onChecked(checked);
  const instant = at.toISOString();
  const onWait = () => {
    const remaining = formatRemaining(at.getTime() - system.now());
    drawLine(`publishing at ${instant}, in ${remaining}; Ctrl-C publishes nothing`);
  };
  const pace = new CorePace();
  const getLeadMs = (remainingMs: number) => pace.getLeadMs(lead ? [lead] : [], remainingMs);
  await waitUntil(at.getTime(), { getLeadMs, onWait, signal }).finally(() => drawLine(''));
  try {
    return await load({ checked });
  } catch (cause) {
    if (!(cause instanceof InterruptedError))
      printNote(`the checked data could not be published at ${instant}:`);
    throw cause;
  }
}

function formatRemaining(ms: number): string {
  const time = new Date(Math.max(0, ms) % DAY_MS).toISOString().slice(11, 19);
  return ms < DAY_MS ? time : `${Math.floor(ms / DAY_MS)} d ${time}`;
}

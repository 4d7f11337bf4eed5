// One of several processes that serve together: the supervisor starts this file.
import { catalogue } from '../../catalogue/index.ts';
import { type EventLog, eventLog } from '../../events.ts';
import { sharedLimits } from '../../http/limits/shared.ts';
import type { Listening } from '../../http/serve.ts';
import { startService } from '../../http/service.ts';
import { readSettings } from '../../settings.ts';
import { openStore, StoreRefused, StoreUnavailable } from '../../store/index.ts';
import { standardErrorOut } from '../stderr.ts';
import { reachOf } from '../waiting.ts';
import type { Order, Report } from './messages.ts';

/** How often the others are told what was let through here. */
const TELL_EVERY_MS = 100;

const limits = sharedLimits();
let serving: Promise<Listening> | undefined;
let log: EventLog | undefined;
let isEnding = false;

// Only the supervisor stops a worker: what is sent to all processes at once reaches it too, and
// is to let requests in flight finish.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
// With its supervisor a worker loses its log; that is no reason to break off what it answers.
process.stderr.on('error', () => {});
process.on('disconnect', end);
process.on('message', (order: Order) => {
  if (order.kind === 'serve') start(order);
  else if (order.kind === 'charge') limits.charge(order.there);
  else end();
});

async function start({ port, isForPeople }: Order & { kind: 'serve' }): Promise<void> {
  log = eventLog({ isTTY: isForPeople, write: (text) => process.stderr.write(text) });
  serving = serve(port, log);
  try {
    const { address } = await serving;
    report({ kind: 'serving', address });
  } catch (cause) {
    if (!isExpected(cause)) throw cause;
    report({ kind: 'refused', message: cause.message, code: cause.code });
    process.exit(1);
  }
  setInterval(() => {
    const here = limits.collect();
    if (here) report({ kind: 'let through', here });
  }, TELL_EVERY_MS);
}

async function serve(port: number, { emit }: EventLog): Promise<Listening> {
  const settings = { ...readSettings(process.env), port };
  const store = await openStore(settings.databaseUrl, catalogue, reachOf(settings, emit));
  return startService(store, catalogue, settings, emit, limits);
}

/** Lets requests in flight finish. Nobody else is accepted from the first moment on. */
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  // Where it was refused, that is told already.
  const listening = await serving?.catch(() => undefined);
  await listening?.stop();
  log?.flush();
  await standardErrorOut();
  process.exit(0);
}

function report(what: Report): void {
  if (process.connected) process.send?.(what);
}

/** Whether it is something that the supervisor can tell in a line: no bug. */
function isExpected(cause: unknown): cause is NodeJS.ErrnoException {
  if (cause instanceof StoreRefused || cause instanceof StoreUnavailable) return true;
  return cause instanceof Error && /^E[A-Z]+$/.test((cause as NodeJS.ErrnoException).code ?? '');
}

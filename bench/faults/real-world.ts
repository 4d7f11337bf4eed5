import type { CheckedWorld } from '../../test/simulation/checked-world.ts';
import { ReadingClient } from '../../test/simulation/clients.ts';
import { FaultTimes } from '../../test/simulation/fault-times.ts';
import type { Model, SimulatedChange } from '../../test/simulation/model.ts';
import { ALL_SCOPES } from '../../test/simulation/queries.ts';
import { Random } from '../../test/simulation/random.ts';
import type { SimulatedToken } from '../../test/simulation/simulated-tokens.ts';
import { runTenorProcess } from '../../test/support/run-tenor.ts';
import { PublishedHistory, type Publishing } from './published-history.ts';
import { ServedProcesses } from './served-processes.ts';

/** How late this process may be before the machine counts as too busy for any bound. */
const LATE_MS = 250;
const TICK_MS = 50;
const RETRY_MS = 300;
/** Publishers may need that long to find another primary. */
const RECOVERY_MS = 5_000;
const MAX_PRINTED = 50;

/** Processes of one run, and what is known of them. */
export class RealWorld implements CheckedWorld {
  readonly server: ServedProcesses;
  readonly servers: readonly ServedProcesses[];
  readonly clients: ReadingClient[] = [];
  readonly database: PublishedHistory;
  readonly clockChangeMs = 0;
  nextRequestId = 1;
  readonly violations: string[] = [];
  faultsInjected = 0;
  isOver = false;
  readonly scheduler: CheckedWorld['scheduler'];
  readonly #faults = new FaultTimes();
  readonly #startedMs = performance.now();
  readonly #watch: NodeJS.Timeout;
  #calmMs = 0;

  constructor(
    seed: number,
    settings: Readonly<Record<string, string>>,
    private readonly publishing: Publishing,
    first: Model,
  ) {
    this.server = new ServedProcesses(settings);
    this.servers = [this.server];
    this.database = new PublishedHistory(this.#faults, first);
    const getNow = () => performance.now() - this.#startedMs;
    this.scheduler = {
      get nowMs() {
        return getNow();
      },
      random: new Random(seed),
      note: () => {},
      wait: (delayMs) => Bun.sleep(delayMs),
      after: (delayMs, _label, run) => setTimeout(run, delayMs),
    };
    this.#watch = this.#watchMachine();
  }

  fail(property: string, message: string): void {
    const seconds = (this.scheduler.nowMs / 1_000).toFixed(1);
    const text = `${property}: ${message.slice(0, 2_000)}`;
    this.violations.push(text);
    if (this.violations.length <= MAX_PRINTED) console.error(`  ${seconds} s VIOLATION ${text}`);
  }

  isCalm(fromMs: number, toMs: number, kinds?: readonly string[]): boolean {
    return this.#faults.isCalm(fromMs, toMs, kinds);
  }

  isNoticed(changeMs: number, atMs: number, withinMs: number): boolean {
    return this.#faults.isNoticed(changeMs, atMs, withinMs);
  }

  /** The share of the time in which no fault excused a failed request, in percent. */
  get calmPercent(): number {
    return Math.round((100 * this.#calmMs) / this.scheduler.nowMs);
  }

  /** Requests may fail until this has ended. */
  async disturb<T>(kind: string, run: () => Promise<T>): Promise<T> {
    const fault = this.#faults.add(kind, this.scheduler.nowMs);
    try {
      return await run();
    } finally {
      fault.toMs = this.scheduler.nowMs;
    }
  }

  /** The next of these has to wait for it. */
  async publish(change: SimulatedChange, publishing = this.publishing): Promise<void> {
    const getNow = () => this.scheduler.nowMs;
    const isDisturbed = (startedMs: number) =>
      publishing.isDisturbed(startedMs) || !this.isCalm(startedMs - RECOVERY_MS, getNow());
    const checked = { ...publishing, isDisturbed };
    const problem = await this.database.publish(change, checked, getNow);
    if (problem !== undefined) this.fail('publications hold', problem);
  }

  async startClients(count: number): Promise<void> {
    for (let index = 0; index < count; index++)
      this.clients.push(new ReadingClient(this, index, await this.#issueToken(index)));
  }

  /** Gives a client another token, and revokes the one that it had. */
  async revokeToken(index: number): Promise<void> {
    const client = this.clients[index];
    if (!client) return;
    const revoked = client.token;
    client.useToken(await this.#issueToken(index));
    revoked.endMs = this.scheduler.nowMs;
    await this.#runCommand(['token', 'revoke', revoked.stored.id]);
    revoked.endMs = this.scheduler.nowMs;
  }

  close(): void {
    clearInterval(this.#watch);
    this.server.close();
  }

  async #issueToken(index: number): Promise<SimulatedToken> {
    const scopes = index === 0 ? ALL_SCOPES.slice(0, 1) : ALL_SCOPES;
    const args = ['token', 'create', '--name', `client ${index}`, '--scopes', scopes.join()];
    const { token: secret, ...stored } = JSON.parse(await this.#runCommand([...args, '--json']));
    const never = Number.POSITIVE_INFINITY;
    const times = { createdMs: this.scheduler.nowMs, endMs: never, expiresMs: never, usedMs: -1 };
    return { stored, secret, isLink: false, ...times };
  }

  /** Runs a command until it succeeds: the database may be out of reach, or its disk full. */
  async #runCommand(args: readonly string[]): Promise<string> {
    for (;;) {
      const { status, out } = await runTenorProcess(args, { ...this.server.settings });
      if (status === 0) return out;
      if (this.isOver) throw new Error(`tenor ${args.join(' ')} ended with status ${status}`);
      await Bun.sleep(RETRY_MS);
    }
  }

  /** While the machine is too busy for this process, it is for the others, too. */
  #watchMachine(): NodeJS.Timeout {
    let lastMs = this.scheduler.nowMs;
    return setInterval(() => {
      const { nowMs } = this.scheduler;
      if (nowMs - lastMs > TICK_MS + LATE_MS) this.#faults.add('busy machine', lastMs, nowMs);
      else if (this.isCalm(lastMs, nowMs)) this.#calmMs += nowMs - lastMs;
      lastMs = nowMs;
    }, TICK_MS);
  }
}

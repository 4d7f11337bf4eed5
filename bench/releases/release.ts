import { getSourceCommand, type ServerProcess, startTenor } from '../server-processes.ts';

/** The program of a checkout, run from its sources on one database. */
export class Release {
  constructor(
    private readonly root: string,
    readonly databaseUrl: string,
  ) {}

  /** Runs a command; throws if it fails. */
  async run(...args: string[]): Promise<void> {
    const { status, err } = await this.attempt(...args);
    if (status !== 0) throw new Error(`${this.root}: tenor ${args.join(' ')}: ${err}`);
  }

  /** Runs a command that may reject what it is given. */
  async attempt(...args: string[]): Promise<{ status: number; out: string; err: string }> {
    const child = Bun.spawn([...getSourceCommand(this.root), ...args], {
      env: { ...process.env, DATABASE_URL: this.databaseUrl },
      stderr: 'pipe',
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { status: await child.exited, out, err };
  }

  serve(sampleData: 'on' | 'off'): Promise<ServerProcess> {
    const settings = { SAMPLE_DATA: sampleData, RATE_LIMIT: 'off', LOG_REQUESTS: 'off' };
    return startTenor(this.databaseUrl, settings, getSourceCommand(this.root));
  }
}

import { printNote } from './output.ts';

/** Tells systemd that the service is ready, if it waits for that (`Type=notify`). */
export async function notifySystemd(): Promise<void> {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    // Bun has no datagram sockets of this kind, and where systemd is, this program is.
    const { exited } = Bun.spawn(['systemd-notify', '--ready'], { stdout: 'ignore' });
    const status = await exited;
    if (status !== 0) printNote(`systemd-notify failed with exit status ${status}`);
  } catch (cause) {
    printNote(`cannot tell systemd that the service is ready: ${(cause as Error).message}`);
  }
}

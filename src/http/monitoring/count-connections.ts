import { readFile } from 'node:fs/promises';

/**
 * How many connections to a port are open, those of other processes that share it among them.
 * Undefined where the system has no such list.
 */
export async function countConnections(port: number): Promise<number | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(readTable));
  const texts = tables.filter((text) => text !== undefined);
  if (texts.length === 0) return undefined;
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  // The local address, the remote one, and the state: established, or closed by the client alone.
  const pattern = new RegExp(`: [0-9A-F]+:${hexPort} [0-9A-F]+:[0-9A-F]{4} 0[18] `, 'g');
  return texts.reduce((count, text) => count + (text.match(pattern)?.length ?? 0), 0);
}

function readTable(name: string): Promise<string | undefined> {
  return readFile(`/proc/self/net/${name}`, 'latin1').catch(() => undefined);
}

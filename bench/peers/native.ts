import { join } from 'node:path';
import { findFreePort } from '../../test/support/free-port.ts';
import { FOLDER } from '../million-quotes.ts';
import { runCommand, TOKEN } from '../server-processes.ts';
import { type Peer, startPeer } from './peer.ts';

/**
 * A handler in Rust (axum, rusqlite, one thread) over Tenor's own tables: it checks the token and sends
 * the best statement, prepared once. It has no log, tags, limits or other formats.
 */
export const native: Peer = {
  name: 'axum and rusqlite',
  command: 'cargo',
  installHint: 'rustup.rs',
  aim: '≥ 0.5',
  async start({ tenor }) {
    const folder = join(FOLDER, 'native');
    const manifest = join(import.meta.dirname, 'native/Cargo.toml');
    await runCommand(['cargo', 'build', '--release', '--manifest-path', manifest], {
      CARGO_TARGET_DIR: folder,
    });
    const port = String(findFreePort());
    const command = [join(folder, 'release/native-peer'), tenor, port, TOKEN];
    return startPeer(command, `http://127.0.0.1:${port}`);
  },
  targets: {
    history: (symbol, from, to) => `/history?symbol=${symbol}&from=${from}&to=${to}`,
    snapshot: (day, limit) => `/snapshot?date=${day}&limit=${limit}`,
  },
};

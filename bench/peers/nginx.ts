import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../test/support/free-port.ts';
import { AUTHORIZATION_HEADERS, getSentHeaders, type ServerProcess } from '../server-processes.ts';
import { startPeer } from './peer.ts';

/** Starts nginx with a response as a file, its headers, and the token in a map. */
export async function startNginx(
  target: string,
  response: Response,
  log: 'all' | 'off',
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-nginx-'));
  // Its worker may be of another user.
  chmodSync(folder, 0o755);
  const port = findFreePort();
  const file = join(folder, 'body.json');
  await Bun.write(file, await response.bytes());
  const config = join(folder, 'nginx.conf');
  await Bun.write(config, formatConfig({ folder, port, target, file, log, response }));
  const command = ['nginx', '-p', folder, '-c', config, '-e', join(folder, 'error.log')];
  const server = await startPeer(command, `http://127.0.0.1:${port}`);
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface NginxSite {
  readonly folder: string;
  readonly port: number;
  readonly target: string;
  readonly file: string;
  readonly log: 'all' | 'off';
  readonly response: Response;
}

/** One worker, as Tenor has; open files are remembered, and the log goes where Tenor's goes. */
function formatConfig({ folder, port, target, file, log, response }: NginxSite): string {
  const { 'content-type': contentType = '', ...headers } = getSentHeaders(response);
  const addHeaders = Object.entries(headers).map(
    ([name, value]) => `add_header ${name} '${value.replaceAll("'", "\\'")}';`,
  );
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log ${log === 'off' ? 'off' : '/dev/null'};
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  etag off;
  if_modified_since off;
  map $http_authorization $is_authorized {
    default 0;
    '${AUTHORIZATION_HEADERS.Authorization}' 1;
  }
  server {
    listen 127.0.0.1:${port};
    location = ${target} {
      if ($is_authorized = 0) { return 401; }
      alias ${file};
      types { }
      default_type '${contentType}';
      ${addHeaders.join('\n      ')}
    }
  }
}
`;
}

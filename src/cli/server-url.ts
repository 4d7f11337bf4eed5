import { UsageError } from './command.ts';

/** The URL of a server that an argument holds, without a slash at its end. */
export function parseServerUrl(argument: string, text: string): string {
  const url = URL.parse(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${argument} must be the URL of a server, such as http://127.0.0.1:8080`);
  }
  return url.href.replace(/\/$/, '');
}

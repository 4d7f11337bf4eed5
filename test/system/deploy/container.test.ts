import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/cli/commands/index.ts';
import { parseSettings, SETTINGS } from '../../../src/settings.ts';
import { listBuildContext } from '../../support/build-context.ts';
import { ROOT } from '../../support/run-tenor.ts';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

const EXECUTABLE = '/usr/local/bin/tenor';
const instructions = parseDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
const finalStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const get = (name: string) => finalStage.find((instruction) => instruction.name === name)?.value;

describe('the image', () => {
  test('is built from images whose versions are given', () => {
    const images = instructions.filter(({ name }) => name === 'FROM');
    expect(images).toHaveLength(2);
    for (const { value } of images) expect(value).toMatch(/^[\w./-]+:(\d+\.\d+\.\d+-|nonroot$)/);
  });

  test('runs the server as a user that is not root, by number', () => {
    expect(get('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(get('COPY')).toEndWith(EXECUTABLE);
    expect(JSON.parse(get('ENTRYPOINT') ?? '')).toEqual([EXECUTABLE]);
    expect(JSON.parse(get('CMD') ?? '')).toEqual(['serve']);
    expect(get('STOPSIGNAL')).toBe('SIGTERM');
  });

  test('needs no shell: nothing is run in it, and its health check is the executable', () => {
    expect(finalStage.map(({ name }) => name)).not.toContain('RUN');
    const [, command = ''] = /^(?:--\S+ +)*CMD (.*)$/.exec(get('HEALTHCHECK') ?? '') ?? [];
    const [executable, ...args] = JSON.parse(command);
    expect(executable).toBe(EXECUTABLE);
    expect(Object.keys(COMMANDS)).toContain(args.join(' '));
  });

  test('has settings that are valid, and none that is secret', () => {
    const environment = parseAssignments(get('ENV'));
    const variables = Object.values(SETTINGS).filter((setting) => !('secret' in setting));
    expect(variables.map(({ variable }): string => variable)).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    );
    expect(parseSettings(environment)).toMatchObject({
      host: '0.0.0.0',
      port: Number(get('EXPOSE')),
      databaseUrl: `sqlite:${get('VOLUME')}/tenor.db`,
      sampleData: false,
    });
  });

  test('is built only from files that the build reads', () => {
    const context = listBuildContext();
    expect(context.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const sources = instructions
      .filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'))
      .flatMap(({ value }) => value.split(' ').slice(0, -1))
      .filter((path) => path !== '.');
    expect(sources.length).toBeGreaterThan(0);
    for (const path of sources) expect(context).toContain(path.split('/')[0] ?? '');
  });
});

test('the example for Compose writes to its volume only, without rights or secrets', () => {
  const { tenor } = readComposeServices();
  expect(tenor).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: [`data:${get('VOLUME')}`],
  });
  const { environment } = tenor;
  expect(() => parseSettings(environment)).not.toThrow();
  expect(Object.keys(environment)).not.toContain(SETTINGS.apiToken.variable);
});

test('the example for Compose has a limit of memory, and asks all workers for their health', () => {
  const { tenor } = readComposeServices();
  expect(tenor.mem_limit).toMatch(/^\d+g$/);
  const { adminPort, adminHost } = parseSettings(tenor.environment);
  expect(adminHost).toBe('0.0.0.0');
  expect(tenor.ports).toContain(`127.0.0.1:${adminPort}:${adminPort}`);
  const url = `http://127.0.0.1:${adminPort}`;
  expect(tenor.healthcheck.test).toEqual(['CMD', EXECUTABLE, 'health', url]);
});

function readComposeServices() {
  const text = readFileSync(join(ROOT, 'deploy/compose.yml'), 'utf8');
  return (Bun.YAML.parse(text) as { services: ComposeServices }).services;
}

interface ComposeServices {
  readonly tenor: Record<string, unknown> & {
    readonly environment: Record<string, string>;
    readonly healthcheck: { readonly test: readonly string[] };
  };
}

/** The instructions of a file without heredocs. */
function parseDockerfile(text: string): Instruction[] {
  return text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      return { name, value };
    });
}

function parseAssignments(text = ''): Record<string, string> {
  return Object.fromEntries(text.split(' ').map((assignment) => assignment.split('=', 2)));
}

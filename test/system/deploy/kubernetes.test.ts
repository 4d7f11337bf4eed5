import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/cli/commands/index.ts';
import { HEALTH_OPERATIONS } from '../../../src/operations/health/health-operations.ts';
import { getFileVariable, parseSettings, SETTINGS, type Setting } from '../../../src/settings.ts';
import { ROOT } from '../../support/run-tenor.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a manifest holds is what the tests find out
type Manifest = any;

const FOLDER = join(ROOT, 'deploy/kubernetes');
const manifests: Manifest[] = readdirSync(FOLDER).flatMap(
  (name) => Bun.YAML.parse(readFileSync(join(FOLDER, name), 'utf8')) as Manifest[],
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const sets = ofKind('StatefulSet').map(({ metadata, spec }) => ({ name: metadata.name, spec }));
const [settings] = ofKind('ConfigMap');
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const imageSettings = Object.fromEntries(
  [...dockerfile.matchAll(/(HOST|PORT|DATABASE_URL|SAMPLE_DATA)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]),
);
const containers = sets.flatMap(({ name, spec }) =>
  spec.template.spec.containers.map((container: Manifest) => [
    `${name}/${container.name}`,
    container,
    spec.template.spec,
  ]),
);

describe('the manifests of Kubernetes', () => {
  test('are those of a primary and of its followers', () => {
    expect(sets.map(({ name }) => name).toSorted()).toEqual(['tenor', 'tenor-follower']);
    expect(sets.find(({ name }) => name === 'tenor')?.spec.replicas).toBe(1);
  });

  test.each(containers)('%s has settings that are valid, and no secret in them', (_, container) => {
    const variables = new Map(
      Object.values<Setting>(SETTINGS).map((setting) => [setting.variable, setting]),
    );
    const files = new Map(
      [...variables.values()]
        .filter(({ mayBeInFile }) => mayBeInFile)
        .map((setting) => [getFileVariable(setting.variable), setting]),
    );
    const own = Object.fromEntries(container.env.map(({ name, value }: Manifest) => [name, value]));
    const environment: Record<string, string> = { ...imageSettings, ...settings.data, ...own };
    const mounts = container.volumeMounts.map(({ mountPath }: Manifest) => mountPath);
    for (const [name, value] of Object.entries(environment)) {
      expect(variables.has(name) || files.has(name)).toBe(true);
      expect(variables.get(name)?.secret).toBeUndefined();
      if (files.has(name))
        expect(mounts.some((path: string) => value.startsWith(`${path}/`))).toBe(true);
    }
    const plain = Object.entries(environment).filter(([name]) => !files.has(name));
    const parsed = parseSettings(Object.fromEntries(plain));
    expect(parsed).toMatchObject({ strictSettings: true, host: '0.0.0.0', sampleData: false });
    // The database is on the volume.
    expect(mounts).toContain('/data');
    expect(parsed.databaseUrl).toStartWith('sqlite:/data/');
    for (const { name, containerPort } of container.ports ?? [])
      expect(containerPort).toBe(name === 'http' ? parsed.port : parsed.adminPort);
    expect(Object.keys(COMMANDS)).toContain(container.args[0]);
  });

  test.each(containers)(
    '%s has no rights, and writes to its volumes alone',
    (_, container, pod) => {
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65532,
        fsGroup: 65532,
      });
      expect(dockerfile).toContain('USER 65532:65532');
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/);
    },
  );

  test.each(containers.filter(([name]) => String(name).endsWith('/tenor')))(
    '%s is probed at paths that answer without a token, and has time to drain',
    (_, container, pod) => {
      const paths = HEALTH_OPERATIONS.map(({ path }) => path as string);
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
        (name) => container[name].httpGet,
      );
      expect(probes.map(({ path }) => path)).toEqual(['/live', '/live', '/ready']);
      for (const { path, port } of probes) {
        expect(paths).toContain(path);
        expect(container.ports.map(({ name }: Manifest) => name)).toContain(port);
      }
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
        Number(settings.data.DRAIN_SECONDS) + 10,
      );
    },
  );

  test('select the pods that they are for, each with a budget and a network policy', () => {
    for (const { name, spec } of sets) {
      const { labels } = spec.template.metadata;
      expect(spec.selector.matchLabels).toEqual(labels);
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
      const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === name);
      const service = ofKind('Service').find(({ metadata }) => metadata.name === spec.serviceName);
      expect(budget.spec.selector.matchLabels).toEqual(labels);
      expect(policy.spec.podSelector.matchLabels).toEqual(labels);
      expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(service.spec.selector).toEqual(labels);
      const ports = spec.template.spec.containers[0].ports.map((port: Manifest) => port.name);
      expect(ports).toContain(service.spec.ports[0].targetPort);
    }
  });

  test('mount what they name, and followers ask the service of the primary', () => {
    for (const [, container, pod] of containers) {
      const volumes = ['data', ...pod.volumes.map(({ name }: Manifest) => name)];
      for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
    }
    const follow = containers
      .flatMap(([, { env }]) => env)
      .find(({ name }: Manifest) => name === 'FOLLOW');
    expect(ofKind('Service').map(({ metadata }) => `http://${metadata.name}`)).toContain(
      follow.value,
    );
  });

  test('are described by a page', () => {
    const page = join(ROOT, 'docs/how-to/kubernetes.md');
    expect(existsSync(page)).toBe(true);
    const text = readFileSync(page, 'utf8');
    for (const name of readdirSync(FOLDER)) expect(text).toContain(name);
  });
});

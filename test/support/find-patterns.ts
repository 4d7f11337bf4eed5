import { join } from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import { isNewExpression, isRegularExpressionLiteral } from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/async';
import { readSources } from '../../scripts/locate-mutant.ts';
import { spawnChild } from './spawn-child.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface FoundPattern {
  readonly file: string;
  /** The literal, or the expression that creates the pattern. */
  readonly text: string;
  /** Those that it creates when its module is imported; none if that happens later. */
  readonly patterns: readonly RegExp[];
}

/** All regular expressions in the source, be they literals or created when a module is imported. */
export async function findPatterns(): Promise<readonly FoundPattern[]> {
  const config = join(ROOT, 'patterns.json');
  const sources = readSources(ROOT);
  const compilerOptions = { noResolve: true, noLib: true, types: [], jsx: 'preserve' };
  const project = JSON.stringify({ files: [...sources.keys()], compilerOptions });
  const isProject = (path: string) => path === config || undefined;
  const readFile = (path: string) => (isProject(path) ? project : undefined);
  const api = new API({ cwd: ROOT, fs: { readFile, fileExists: isProject } });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [config] });
    const program = snapshot.getProject(config)?.program;
    const found: (Omit<FoundPattern, 'patterns'> & { readonly line: number })[] = [];
    for (const [file, source] of sources) {
      const root = await program?.getSourceFile(join(ROOT, file));
      if (!root) throw new Error(`${file} is not read`);
      const visit = (node: Node): void => {
        const start = node.getStart(root);
        const text = source.slice(start, node.end);
        const isCreated = isNewExpression(node) && text.startsWith('new RegExp(');
        const line = source.slice(0, start).split('\n').length;
        if (isCreated || isRegularExpressionLiteral(node)) found.push({ file, text, line });
        node.forEachChild(visit);
      };
      root.forEachChild(visit);
    }
    const created = found.filter(({ text }) => !text.startsWith('/'));
    const recorded = await recordPatterns([...new Set(created.map(({ file }) => file))]);
    return found.map(({ file, text, line }) => ({
      file,
      text,
      patterns: text.startsWith('/')
        ? [parseLiteral(text)]
        : recorded.filter(({ site }) => site === `${file}:${line}`).map(({ pattern }) => pattern),
    }));
  } finally {
    await api.close();
  }
}

function parseLiteral(text: string): RegExp {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** The patterns that modules create when they are imported, each with the file and line that does so. */
async function recordPatterns(files: readonly string[]) {
  const child = spawnChild([process.execPath, '-e', RECORDER, ROOT, ...files], {
    cwd: ROOT,
    stdout: 'pipe',
  });
  const lines = (await new Response(child.stdout).text()).trim().split('\n');
  return lines.map((line) => {
    const { source, flags, site } = JSON.parse(line) as Record<'source' | 'flags' | 'site', string>;
    return { site, pattern: new RegExp(source, flags) };
  });
}

const RECORDER = `
  const [root, ...files] = process.argv.slice(1);
  const { RegExp } = globalThis;
  globalThis.RegExp = new Proxy(RegExp, {
    construct(_, args) {
      const pattern = new RegExp(...args);
      const [, site] = new Error().stack.split('\\n').map((line) => /((?:src|clients)[/].*?:\\d+):\\d+/.exec(line)).find(Boolean) ?? [];
      console.log(JSON.stringify({ source: pattern.source, flags: pattern.flags, site }));
      return pattern;
    },
  });
  for (const file of files) await import(root + '/' + file);
`;

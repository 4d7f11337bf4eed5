// npm run build: makes dist/tenor, one file that runs without Node, Bun or this repository.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExplorerBundle } from '../src/http/static/explorer/bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const EXPLORER = join(ROOT, 'src/explorer');
const SAMPLE = join(ROOT, 'examples/sample');
const SAMPLE_FILE_MODULE = /\/src\/sample\/get-sample-file\.ts$/;
const EXPLORER_BUNDLE_MODULE = /\/src\/http\/static\/explorer\/bundle\.ts$/;

/** Entry points of the executable: the command first, then the file of each thread. */
export const ENTRY_POINTS = [
  'src/cli/main.ts',
  'src/http/server/thread/thread.ts',
  'src/http/scrub/scrub-thread.ts',
  'src/follow/follow-thread.ts',
  'src/publish/adapter/adapter-thread.ts',
];

export interface ExecutableOptions {
  readonly outfile: string;
  /** Such as `bun-linux-arm64`, which Bun downloads from the npm registry; default this machine. */
  readonly target?: string | undefined;
  readonly commit?: string | undefined;
}

/** Compiles the executable in a folder of its own, and replaces an earlier one by renaming. */
export async function buildExecutable({ outfile, target, commit }: ExecutableOptions) {
  mkdirSync(dirname(outfile), { recursive: true });
  const folder = mkdtempSync(join(dirname(outfile), '.build-'));
  try {
    const draft = join(folder, basename(outfile));
    await Bun.build({
      entrypoints: ENTRY_POINTS.map((file) => join(ROOT, file)),
      // A thread is looked for in the folder of the file that starts it, which is in the one of the command.
      naming: { entry: '[name].[ext]' },
      plugins: [await createExplorerBundlePlugin(), createSampleFilesPlugin()],
      define: commit === undefined ? {} : { TENOR_COMMIT: JSON.stringify(commit) },
      target: 'bun',
      format: 'esm',
      // A command loads only what it imports.
      splitting: true,
      bytecode: true,
      // For the stack traces in logs.
      sourcemap: 'linked',
      compile: {
        outfile: draft,
        ...(target !== undefined && { target: target as Bun.Build.CompileTarget }),
        // A file of the working directory, which another user may have written, is not to change what the command does.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    renameSync(draft, outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In the executable there is nothing to bundle: it has the script and the style of the explorer. */
async function createExplorerBundlePlugin(): Promise<Bun.BunPlugin> {
  const bundle = await buildExplorerBundle(EXPLORER);
  const contents = `export const getExplorerBundle = async () => (${JSON.stringify(bundle)});`;
  return {
    name: 'explorer-bundle',
    setup: (build) =>
      void build.onLoad({ filter: EXPLORER_BUNDLE_MODULE }, () => ({ contents, loader: 'ts' })),
  };
}

/** In the executable, the files of the sample have paths in itself. */
function createSampleFilesPlugin(): Bun.BunPlugin {
  const names = readdirSync(SAMPLE);
  const imports = names.map((name, index) => {
    return `import file${index} from '../../examples/sample/${name}' with { type: 'file' };`;
  });
  const entries = names.map((name, index) => `[${JSON.stringify(name)}, file${index}]`);
  const contents = `${imports.join('\n')}
    const files = new Map([${entries}]);
    export const getSampleFile = (name) => files.get(name);`;
  return {
    name: 'sample-files',
    setup: (build) =>
      void build.onLoad({ filter: SAMPLE_FILE_MODULE }, () => ({ contents, loader: 'ts' })),
  };
}

/** The commit that is checked out, marked if files of it are changed; undefined without Git. */
function findCommit(): string | undefined {
  const runGit = (...args: string[]) =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim();
  const commit = runGit('rev-parse', '--short=12', 'HEAD');
  if (!commit) return undefined;
  return runGit('status', '--porcelain', '--untracked-files=no') ? `${commit}, changed` : commit;
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: 'string' },
        outfile: { type: 'string', default: join(ROOT, 'dist/tenor') },
        commit: { type: 'string' },
      },
    });
    const outfile = resolve(values.outfile);
    // Paths in stack traces are relative to the working directory.
    process.chdir(ROOT);
    await buildExecutable({ ...values, outfile, commit: values.commit ?? findCommit() });
    console.log(`${outfile}: ${(Bun.file(outfile).size / 1e6).toFixed(0)} MB`);
  } catch (cause) {
    console.error(`build: ${(cause as Error).message}`);
    // What the bundler found, with file and line.
    if (cause instanceof AggregateError) for (const problem of cause.errors) console.error(problem);
    process.exit(1);
  }
}

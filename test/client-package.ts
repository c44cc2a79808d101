import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The sources of the client. */
export const CLIENT = join(import.meta.dirname, '../packages/client');

export interface PackedClient {
  /** A project with the packed client in its `node_modules`. */
  project: string;
  /** The packed client in it. */
  folder: string;
  /** Paths in the package. */
  files: string[];
  remove(): Promise<void>;
}

/** Packs the client as for publication, and unpacks it where a program can import it. */
export async function packClient(): Promise<PackedClient> {
  const project = await realpath(await mkdtemp(join(tmpdir(), 'marquee-client-')));
  const folder = join(project, 'node_modules/marquee-client');
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: CLIENT });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await run('tar', ['-xzf', join(project, filename), '-C', folder, '--strip-components=1']);
  return {
    project,
    folder,
    files: files.map(({ path }) => path),
    remove: () => rm(project, { recursive: true, force: true }),
  };
}

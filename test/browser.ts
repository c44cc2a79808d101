import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);

/** Not the script in `/usr/bin`, which would outlive a signal. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell';
const CHROMIUM = '/usr/bin/chromium';

/** No sandbox, because it does not start as root; no requests to anything but the server under test. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The program named by MARQUEE_TEST_CHROMIUM, or Debian's: the headless shell, which is installed if it is missing and
 * this process may do that, or else Chromium, which takes three times as much processor time.
 */
async function findChromium(): Promise<string> {
  const given = process.env.MARQUEE_TEST_CHROMIUM;
  if (given) {
    if (await exists(given)) return given;
    throw new Error(`MARQUEE_TEST_CHROMIUM names ${given}, which is not there.`);
  }
  if (await exists(SHELL)) return SHELL;
  const problem = await install();
  for (const program of [SHELL, CHROMIUM]) if (await exists(program)) return program;
  throw new Error(
    `The tests of the pages need Chromium (${problem}). Run "apt-get update && apt-get install chromium-headless-shell" as root, or set MARQUEE_TEST_CHROMIUM to the path of a Chromium or Chrome.`,
  );
}

/** Waits while another worker installs the same. */
const INSTALL = ['install', '--yes', '--no-install-recommends', '--option', 'DPkg::Lock::Timeout=300'];

/** Returns the reason if it is not possible. */
async function install(): Promise<string> {
  if (process.getuid?.() !== 0) return 'it is not installed, and only root may install it';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '--option', 'DPkg::Lock::Timeout=300'], { env });
    await run('apt-get', [...INSTALL, 'chromium-headless-shell', 'fonts-dejavu-core'], { env });
    return '';
  } catch (error) {
    return `apt-get could not install it: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
}

/** How to start a browser of its own, with further arguments. */
export const browserOptions = async (further: readonly string[]) => ({
  executablePath: await findChromium(),
  args: [...ARGUMENTS, ...further],
});

let browser: Promise<Browser> | undefined;

/**
 * The browser of all tests of this worker, with which it ends: a start takes a second of processor time. Tests close the
 * contexts and pages that they open.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (browser && !(await browser).isConnected()) browser = undefined;
  browser ??= findChromium().then((executablePath) => chromium.launch({ executablePath, args: ARGUMENTS }));
  return browser;
}

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../src/base/settings.ts';
import { type Capability, ROLE_NAMES, ROLES, SCOPE_NAMES, SCOPES } from '../src/http/core/auth.ts';
import { ERROR_CODES, type ErrorCode, messageOf, statusOf } from '../src/http/core/errors.ts';
import { translate } from '../src/lib/i18n.ts';
import { LIMIT_NAMES, LIMITS } from '../src/platform/limits/limits.ts';
import { PARTS } from './faults/parts.ts';
import { commandProcess } from './marquee-process.ts';

const ROOT = join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pages = globSync('**/*.md', { cwd: ROOT, exclude: (path) => /(^|\/)node_modules$|^data$/.test(path) });
const guides = pages.filter((page) => !page.includes('bench'));

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '');

/** The cells of a table's rows that begin with a name in backticks, by that name. */
function rowsOf(page: string): Map<string, string[]> {
  const rows = all(textOf(page), /^\| (`.*) \|$/gm).map((row) => row.split(' | '));
  return new Map(rows.map(([name = '', ...cells]) => [name.replaceAll('`', ''), cells]));
}

describe('the settings', () => {
  const rows = rowsOf('docs/settings.md');

  it.each(SETTINGS)('$name is documented correctly in docs/settings.md', ({ name, preset, about }) => {
    expect(rows.get(name)).toEqual([preset, about]);
  });

  it('are the only ones in docs/settings.md', () => {
    const mentioned = all(textOf('docs/settings.md'), /(MARQUEE_\w+)/g);
    expect([...new Set(mentioned)].toSorted()).toEqual(SETTINGS.map(({ name }) => name).toSorted());
  });

  it.each(guides)('that %s mentions exist', (page) => {
    const known = new Set([...SETTINGS.map(({ name }) => name), ...all(textOf('compose.yaml'), /(MARQUEE_\w+)/g)]);
    expect(all(textOf(page), /(MARQUEE_\w+)/g).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the limits', () => {
  it('on wrong guesses are those in docs/accounts.md', () => {
    const counted = LIMIT_NAMES.filter((name) => LIMITS[name].setting === 'MARQUEE_SECRET_GUESSES');
    expect([...rowsOf('docs/accounts.md').keys()].filter((name) => name.includes('-by-'))).toEqual(counted);
  });

  it.each(LIMIT_NAMES)('%s has a setting', (name) => {
    expect(SETTINGS.map((setting) => setting.name)).toContain(LIMITS[name].setting);
  });
});

/** English message of a code, with “…” in place of the values that it fills in. */
function messageIn(code: ErrorCode): string {
  const { key, values } = messageOf(code);
  if ('kind' in values) return translate('en', key, values);
  const message: string | Record<string, string> = JSON.parse(textOf('src/locales/en.json'))[key];
  return (typeof message === 'string' ? message : (message.other ?? '')).replaceAll(/\{[\w.]+\}/g, '…');
}

describe('the error codes', () => {
  const rows = rowsOf('docs/errors.md');

  it.each(ERROR_CODES)('%s is documented correctly in docs/errors.md', (code) => {
    expect(rows.get(code)).toEqual([String(statusOf(code)), messageIn(code)]);
  });

  it('are listed once each in docs/errors.md', () => {
    const named = all(textOf('docs/errors.md'), /^\| `([\w-]+)` \|/gm);
    expect(named.toSorted()).toEqual([...ERROR_CODES].toSorted());
  });
});

describe('the faults', () => {
  it.each(PARTS)('$name is documented in docs/reliability.md', ({ name }) => {
    expect([...rowsOf('docs/reliability.md').keys()]).toContain(name);
  });
});

it.each(pages)('%s has no markers of a merge conflict', (page) => {
  expect(textOf(page)).not.toMatch(/^(<<<<<<<|=======|>>>>>>>)/m);
});

describe('the links', () => {
  it.each(pages)('of %s have a target', (page) => {
    const targets = all(textOf(page), /\]\(([^)\s]+)\)/g).filter((target) => !/^[a-z]+:/.test(target));
    expect(targets.filter((target) => !leadsSomewhere(page, target))).toEqual([]);
  });
});

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, file))) return false;
  return (
    anchor === undefined ||
    all(textOf(file), /^#+ (.+)$/gm)
      .map(anchorOf)
      .includes(anchor)
  );
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

describe('the sources', () => {
  const files = globSync(['*', '{src,apps,test,packages,bench,scripts}/**'], {
    cwd: ROOT,
    exclude: (path) => /(^|\/)node_modules$/.test(path),
  }).map((path) => `/${path}`);
  const isProgram = (name: string) => files.some((path) => path.endsWith(`/${name}`));
  const described = pages.filter((page) => /^(README|CONTRIBUTING|docs\/(architecture|adr))\b/.test(page));

  it.each(described)('that %s mentions exist', (page) => {
    const named = all(textOf(page), /`([\w./-]+(?:\.(?:ts|json|yaml)|\/))`/g).filter((name) => !name.startsWith('/'));
    const missing = named.filter((name) => !existsSync(join(ROOT, name)) && !existsSync(join(ROOT, 'src', name)));
    expect(missing).toEqual([]);
  });

  it('of programs that guides mention exist', () => {
    // The guide to the console has an example with sponsors.
    const missing = guides.flatMap((page) =>
      all(textOf(page), /`([\w./-]+\.tsx?)`/g).flatMap((name) =>
        isProgram(name) || /\bsponsors\//.test(name) ? [] : [[page, name]],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('that comments mention exist', () => {
    const sources = files.filter((path) => /^\/(src|apps)\/.*\.tsx?$/.test(path));
    const missing = sources.flatMap((source) => {
      const comments = all(textOf(source.slice(1)), /(\/\/.*|\/\*[\s\S]*?\*\/)/g).join('\n');
      return all(comments, /(?<![\w./-])([\w/-]+\.tsx?)\b/g).flatMap((name) =>
        isProgram(name) ? [] : [[source, name]],
      );
    });
    expect(sources.length).toBeGreaterThan(500);
    expect(missing).toEqual([]);
  });
});

describe('the commands', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

  it.each(guides)('of npm that %s mentions are scripts', (page) => {
    const text = textOf(page);
    const named = [...all(text, /npm run ([\w:-]+)/g), ...all(text, /npm (test|start)\b/g)];
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('of Marquee that the pages mention exist', async () => {
    const { code, out, err } = await commandProcess(['help'], {}).ended;
    expect({ code, err }).toEqual({ code: 0, err: [] });
    const known = all(out.join('\n'), /^ {2}(\S+(?: \S+)?) {2}/gm);
    const calls = guides.flatMap((page) => all(textOf(page), /npx marquee ((?:[a-z-]+ ?){1,2})/g));
    const unknown = calls.filter((call) => !known.some((name) => `${call.trim()} `.startsWith(`${name} `)));
    expect(unknown.filter((call) => !call.startsWith('--'))).toEqual([]);
  });
});

describe('the tables of docs/accounts.md', () => {
  const rows = rowsOf('docs/accounts.md');
  const every: readonly Capability[] = ROLES.administrator;

  it.each(every)('list the roles with the right %s', (capability) => {
    const roles: readonly (readonly Capability[])[] = ROLE_NAMES.map((role) => ROLES[role]);
    const marks = roles.map((capabilities) => (capabilities.includes(capability) ? '✓' : '–'));
    expect(rows.get(capability)?.slice(0, -1)).toEqual(marks);
  });

  it.each(SCOPE_NAMES)('list the rights of the scope %s', (scope) => {
    const rights = SCOPES[scope].map((capability) => `\`${capability}\``).join(', ');
    expect(rows.get(scope)).toEqual([SCOPES[scope].length === every.length ? 'all' : rights]);
  });
});

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postgresDialect, sqliteDialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';
import { MIGRATIONS } from './all.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

/** Fingerprint of each migration. A new one adds its line; the line of a released one never changes. */
const FINGERPRINTS: Readonly<Record<string, Fingerprint>> = {
  '0001-calendar': { sqlite: '1c31a0b3fbe6d555', postgres: '2a6b21787c145b86' },
  '0002-ticketing': { sqlite: '520eeadcfc543fc9', postgres: '3651f006a40ea7b4' },
  '0003-translations': { sqlite: '93d8fee71d7b43b7', postgres: 'fe2940bf6b0c096b' },
  '0004-events-found': { sqlite: '8a168c49c4e487d7', postgres: '8a168c49c4e487d7' },
  '0005-translations-listed': { sqlite: 'cf6bf3d33d89ae38', postgres: '31c4653995618f72' },
  '0006-limits': { sqlite: '5102fdd8a658e828', postgres: '62a22b91fb15a90d' },
  '0007-idempotency': { sqlite: 'c0d41f8cde9dd271', postgres: '2abdf0fe6de980db' },
  '0008-counts-without-password': { sqlite: 'd4e5bd453b7e3f99', postgres: 'd4e5bd453b7e3f99' },
  '0009-emptied-carts': { sqlite: '66203347643142bd', postgres: '66203347643142bd' },
  '0010-attendance-status': { sqlite: '1ef0626178ffedc4', postgres: '1ef0626178ffedc4' },
  '0011-provisional-texts': { sqlite: '2898582c6cb01637', postgres: '2898582c6cb01637' },
  '0012-data-versions': { sqlite: '5c146b531811e4e6', postgres: 'd29823e80f348ec6' },
  '0013-lists-by-time': { sqlite: 'c2d833fb5aedc6ff', postgres: 'a6087a066348a59b' },
  '0014-event-status': { sqlite: '3ba4531162c8c7c3', postgres: '3ba4531162c8c7c3' },
  '0015-revisions': { sqlite: '1af0017146b5af0e', postgres: '49cc4f4aa051a3cf' },
  '0016-buyers': { sqlite: '772d2eecfbd0b974', postgres: '772d2eecfbd0b974' },
  '0017-site-settings': { sqlite: '06cd95b6a66fb12c', postgres: '18653ebb987eb95d' },
  '0018-seats-version': { sqlite: 'b7bcd48937a9462d', postgres: 'e8ba9b46c4e6c48d' },
  '0019-attendee-lists': { sqlite: '7274a4462facdd12', postgres: '7274a4462facdd12' },
  '0020-sessions': { sqlite: 'f5b02aa94b69b080', postgres: 'ed6064e7c6d8c238' },
  '0021-audit': { sqlite: 'c7fb886e2e5c93d2', postgres: 'b400554d68f5396a' },
  '0022-orders-desk': { sqlite: 'b5518207701c1365', postgres: '2bd299aee0b5fdf4' },
  '0023-library': { sqlite: 'c8cab78765f0b921', postgres: 'bb8e772384b353fc', file: '38e84a2292a973a7' },
  '0024-reports': { sqlite: 'd34a57cd9a91c129', postgres: 'd34a57cd9a91c129' },
  '0025-site-choices': { sqlite: '8e5058c6df2604f6', postgres: '8e5058c6df2604f6' },
  '0026-category-colors': { sqlite: 'b84a9192812d51ff', postgres: 'b84a9192812d51ff' },
  '0027-attendee-search': { sqlite: 'df4cac408e13bee9', postgres: 'e3b0c44298fc1c14' },
  '0028-confirmed-sessions': { sqlite: 'f4d76b7fb6d17fdf', postgres: 'f4d76b7fb6d17fdf' },
  '0029-free-places': { sqlite: '83102dec174b7d18', postgres: '80e7be2207102f75' },
  '0030-postponed-sales': { sqlite: 'adb6a47762dc1093', postgres: 'adb6a47762dc1093' },
  '0031-copies': { sqlite: '22bec12d24932202', postgres: '22bec12d24932202' },
  '0032-ticket-pages': { sqlite: '7d6aedcbd5b78900', postgres: '2fd842a19001fa9b' },
  '0033-attendance-mode': { sqlite: 'ffcba63c8d4b1695', postgres: 'ffcba63c8d4b1695' },
  '0034-jobs': { sqlite: 'bc0b39306939d2fe', postgres: '39f74bf7498ec335' },
  '0035-series': { sqlite: '5bf76afc0b2e0246', postgres: '188557e22da3f3fe' },
  '0036-series-pass': { sqlite: '6f38770390251e00', postgres: '6f38770390251e00' },
  '0037-payments': { sqlite: '2d9db4e9a9d33c84', postgres: '6a1220e577601299' },
  '0038-prices': { sqlite: '6028c300f56870ac', postgres: '6ff781532cd71c11' },
  '0039-collapse-series': { sqlite: 'c8ae5e1d52bf49e8', postgres: '35ec25dbd39bfe28' },
  '0040-refund-looks': { sqlite: 'cfb7531dff4edc61', postgres: 'cfb7531dff4edc61' },
  '0041-invoices': { sqlite: '35c880f077d3795b', postgres: 'b5bf9a394f3eb6ba' },
  '0042-reconciliation': { sqlite: 'b58332454447c46e', postgres: '324f8df7e5eebad5' },
  '0043-giving': { sqlite: '5fa0ce9296245233', postgres: '5fa0ce9296245233' },
  '0044-hidden-attendees': { sqlite: 'ba2ca2bdb5a03bfa', postgres: 'ba2ca2bdb5a03bfa' },
  '0045-mails': { sqlite: '25cb90c083edc1e3', postgres: 'd39fb064cc2e9a43' },
  '0046-announcements': { sqlite: '450c6774cd3c3dcb', postgres: 'dcfd246ec369fd42' },
  '0047-mail-texts': { sqlite: '683443ad332297d5', postgres: '624886b82c36e8dd' },
  '0048-bounces': { sqlite: 'e20056061b23f542', postgres: 'e20056061b23f542' },
  '0049-account-mails': { sqlite: '42ac5a9cd5735b36', postgres: '002408eb7d73fdca' },
  '0050-my-tickets': { sqlite: '029c9e070d923eae', postgres: '029c9e070d923eae' },
  '0051-imports': { sqlite: '2f065b28ef577aed', postgres: 'd89068616d77cca7' },
  '0052-door': { sqlite: 'c7427177b29f2887', postgres: '4afe3b923e5655ce' },
  '0053-subscriptions': { sqlite: '4dd935630482915e', postgres: '2301f004101e51b6' },
  '0054-import-changes': { sqlite: 'f66172e07cff27e8', postgres: 'ca381cc70dad179f' },
  '0055-import-runs': { sqlite: 'f99ca33a393b60c9', postgres: '6bdabacc97e6315e' },
  '0056-former-events': { sqlite: '60eb97eb8636c3e0', postgres: 'a9f89d0a42a93f4e' },
};

interface Fingerprint {
  sqlite: string;
  postgres: string;
  /** Fingerprint of its file, if it runs code. */
  file?: string;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const sourceOf = (name: string): string => readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8');

const fingerprintOf = ({ name, statements, up }: Migration): Fingerprint => ({
  sqlite: digest(statements(sqliteDialect).join(';\n')),
  postgres: digest(statements(postgresDialect).join(';\n')),
  ...(up && { file: digest(sourceOf(name)) }),
});

describe('the migrations', () => {
  it('are numbered without a gap', () => {
    expect(NAMES).toEqual(
      NAMES.map((_name, index) => expect.stringMatching(`^${String(index + 1).padStart(4, '0')}-[a-z-]+$`)),
    );
  });

  it('are the files of the folder', () => {
    const files = globSync('[0-9]*.ts', { cwd: import.meta.dirname });
    expect(files.sort()).toEqual(NAMES.map((name) => `${name}.ts`));
  });

  it.each(MIGRATIONS)('$name does what it did when it was released', (migration) => {
    expect(fingerprintOf(migration)).toEqual(FINGERPRINTS[migration.name]);
  });

  it.each(NAMES)('%s imports nothing that may change', (name) => {
    const imports = [...sourceOf(name).matchAll(/^import (type )?.* from '(.*)';$/gm)];
    const values = imports.flatMap(([_line, type, module = '']) => (type ? [] : [module]));
    expect(values.filter((module) => module !== 'kysely' && !module.startsWith('node:'))).toEqual([]);
    expect(sourceOf(name).match(/^import\b|\bimport\(|^export .* from\b/gm)).toHaveLength(imports.length);
  });
});

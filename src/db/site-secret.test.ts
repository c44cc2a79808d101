import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/commands.ts';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import { forgetSecretCommand } from '../server/cli/forget-secret.ts';
import { ensureSecret } from './site-secret.ts';

const GIVEN = 'a secret that the operator has chosen';

describe.each(BOTH_DATABASES)('the secret of the site on %s', (kind) => {
  const server = useTestServer(kind);
  const settle = (given?: string) => ensureSecret(server().context.db, { given, random: randomBytes });
  const stored = async () => JSON.stringify(await server().context.db.query.selectFrom('site').selectAll().execute());
  beforeEach(() => server().context.db.query.deleteFrom('site').execute());

  it('is created once, however many processes start together', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => settle()));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(await settle()).toBe(secrets[0]);
    expect(await settle(secrets[0])).toBe(secrets[0]);
    expect(await settle(GIVEN)).toBeUndefined();
  });

  it('is checked but not stored when the operator provides it', async () => {
    expect(await settle(GIVEN)).toBe(GIVEN);
    expect(await stored()).not.toContain(GIVEN);
    expect([await settle(), await settle(`${GIVEN}!`), await settle(GIVEN)]).toEqual([undefined, undefined, GIVEN]);
  });

  it('can be removed, so that another one replaces it', async () => {
    await settle(GIVEN);
    const run = () => runCommand(forgetSecretCommand, server().context, []);
    expect((await run()).out).toEqual(['The secret is forgotten: links to orders no longer work.']);
    expect((await run()).out).toEqual(['There is no secret yet.']);
    expect(await settle('another secret of the operator')).toBe('another secret of the operator');
  });
});

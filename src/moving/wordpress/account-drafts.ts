import { isForeignHash } from '../../lib/foreign-hash.ts';
import { isAccountName } from '../../lib/text/account-name.ts';
import type { Draft, Finding } from '../drafts.ts';
import { membersOfPhp, phpText, readPhpValue } from './php-value.ts';
import { first, type Site } from './site.ts';
import type { StagedUser } from './staging.ts';

/** Accounts of a staged site, with the hashes of their passwords. */

/** Roles that both systems have, the highest first. */
const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d.-]{0,180}[a-z\d])?$/i;
const MAX_APP_PASSWORDS = 100;

export function accountDraft(user: StagedUser, { staging }: Site): Draft {
  const meta = staging.meta('user', user.id);
  const findings: Finding[] = [];
  const isOwn = ADDRESS.test(user.email) && !staging.hasEarlierAddress(user);
  if (!isOwn) findings.push({ code: user.email === '' ? 'no-address' : 'address-taken', detail: user.login });
  const hash = user.pass.trim();
  const isKnown = isForeignHash(hash);
  if (!isKnown) findings.push({ code: 'no-password', detail: user.login });
  const { role, unknown } = roleOf(first(meta, `${staging.option('table_prefix')}capabilities`));
  if (meta.size === 0) findings.push({ code: 'no-role', detail: user.login });
  if (unknown.length > 0) findings.push({ code: 'role', detail: `${user.login}: ${unknown.join(', ')}` });
  const name = user.login.trim();
  const isName = name.length <= 60 && isAccountName(name);
  return {
    ...{ kind: 'account', id: user.id, at: '', findings },
    fields: {
      ...{ username: name, email: isOwn ? user.email : `user-${user.id}@localhost`, role },
      ...{ password_hash: isKnown ? hash : '', created_utc: user.registered },
      app_passwords: appPasswords(first(meta, '_application_passwords')),
    },
    ...(!isName && { cannot: { code: 'name', detail: user.login.slice(0, 60) } }),
  };
}

/** The highest role that this site also has, and the roles that it lacks. An account without a role gets the lowest. */
function roleOf(serialized: string): { role: string; unknown: string[] } {
  const names = [...membersOfPhp(readPhpValue(serialized))].flatMap(([name, value]) => (value === true ? [name] : []));
  const role = ROLES.find((one) => names.includes(one));
  // Besides a known role, the other names are capabilities of plug-ins.
  return { role: role ?? 'subscriber', unknown: role === undefined ? names.slice(0, 5) : [] };
}

function appPasswords(serialized: string): { name: string; hash: string; created: number }[] {
  return [...membersOfPhp(readPhpValue(serialized)).values()].slice(0, MAX_APP_PASSWORDS).flatMap((value) => {
    const members = membersOfPhp(value);
    const hash = phpText(members.get('password'));
    const created = members.get('created');
    const name = phpText(members.get('name'))
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 100);
    return isForeignHash(hash)
      ? [{ name: name || 'Imported', hash, created: typeof created === 'number' ? created : 0 }]
      : [];
  });
}

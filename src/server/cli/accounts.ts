import { ROLE_NAMES } from '../../http/core/auth.ts';
import { commandLine } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { accountFields } from '../../platform/users/endpoints/fields.ts';
import { generatePassword } from '../../platform/users/generate.ts';
import { hashPassword } from '../../platform/users/passwords.ts';
import { siteOrigin } from '../../platform/users/sign-in/first-administrator.ts';
import { hasSecondFactor, removeSecondFactor } from '../../platform/users/sign-in/second-factor.ts';
import { endAllSessions } from '../../platform/users/sign-in/session-store.ts';
import { createSignInLink, signInUrl } from '../../platform/users/sign-in/sign-in-links.ts';
import { insertUser, listUsers, removeUser, updateUser } from '../../platform/users/store.ts';
import { appPasswordCommands } from './app-passwords.ts';
import { type Command, CommandError, command } from './command.ts';
import { ALL_ROWS, columns, getAccount, validated } from './input.ts';
import { tokenCommands } from './tokens.ts';

const roles = `Roles: ${ROLE_NAMES.join(', ')}.`;
const { username, email, role, password } = accountFields;

const add = command({
  name: 'user add',
  summary: 'Creates an account.',
  words: ['NAME'],
  options: {
    email: { value: 'ADDRESS', about: 'E-mail address of the account.', required: true },
    role: { value: 'ROLE', about: 'Role of the account.', required: true },
    password: { value: 'PASSWORD', about: 'Password; without it one is generated and printed once.' },
  },
  notes: `${roles}\nOther people on this machine may see a password given on the command line.`,
  async work({ context, words, options, print }) {
    const { password: given, ...account } = validated(
      { username, email, role, password },
      { username: words[0], ...options },
    );
    const secret = given ?? generatePassword(context.random);
    const values = {
      // All three are required words and options, so they are present.
      ...(account as Required<typeof account>),
      password_hash: await hashPassword(secret, context),
      created_utc: toUtc(context.now()),
    };
    const user = await insertUser(context.db, values, commandLine(context.now()));
    print(`Account "${user.username}" (id ${user.id}, ${user.role}) created.`);
    if (given === undefined) print(`Password, shown this once: ${secret}`);
  },
});

const list = command({
  name: 'user list',
  summary: 'Lists the accounts.',
  words: [],
  options: { role: { value: 'ROLE', about: 'Only accounts with this role.' } },
  notes: roles,
  async work({ context, options, print }) {
    const filter = validated({ role }, { role: options.role });
    const roles = filter.role && [filter.role];
    const { users } = await listUsers(context.db, { roles, ...ALL_ROWS });
    const rows = users.map((user) => [user.id, user.username, user.email, user.role, user.created_utc]);
    for (const line of columns(['ID', 'NAME', 'E-MAIL', 'ROLE', 'CREATED (UTC)'], rows)) print(line);
  },
});

const changePassword = command({
  name: 'user password',
  summary: 'Changes the password of an account.',
  words: ['NAME'],
  options: {
    password: { value: 'PASSWORD', about: 'The new password; without it the command prompts for one.' },
    generate: { about: 'Generates the password and prints it once.' },
  },
  notes: 'Application passwords and tokens of the account keep working; its sessions end.',
  async work({ context, words: [name = ''], options, print, readSecret }) {
    if (options.generate && options.password !== undefined)
      throw new CommandError('Use either --password or --generate.');
    const user = await getAccount(context.db, name);
    const generated = options.generate ? generatePassword(context.random) : undefined;
    const given = generated ?? options.password ?? (await readSecret(`New password of ${user.username}: `));
    const { password: secret = '' } = validated({ password }, { password: given });
    const changes = { password_hash: await hashPassword(secret, context) };
    await updateUser(context.db, user.id, changes, {
      actor: commandLine(context.now()),
      now: context.now(),
    });
    print(`The password of "${user.username}" was changed.`);
    if (generated !== undefined) print(`Password, shown this once: ${generated}`);
  },
});

const changeRole = command({
  name: 'user role',
  summary: 'Changes the role of an account.',
  words: ['NAME', 'ROLE'],
  notes: roles,
  async work({ context, words: [name = '', wanted], print }) {
    const user = await getAccount(context.db, name);
    const changes = validated({ role }, { role: wanted });
    const changed = await updateUser(context.db, user.id, changes, { actor: commandLine(context.now()) });
    print(`"${changed.username}" is ${changed.role} now.`);
  },
});

const remove = command({
  name: 'user remove',
  summary: 'Removes an account with its application passwords and tokens.',
  words: ['NAME'],
  options: {
    reassign: { value: 'OTHER', about: 'Name of the account that gets the events, venues, organizers and images.' },
  },
  async work({ context, words: [name = ''], options, print }) {
    const user = await getAccount(context.db, name);
    const heir = typeof options.reassign === 'string' ? await getAccount(context.db, options.reassign) : undefined;
    if (heir?.id === user.id) throw new CommandError('--reassign must name another account.');
    await removeUser(context.db, user.id, heir?.id, commandLine(context.now()));
    print(`Account "${user.username}" is removed.`);
  },
});

const makeLink = command({
  name: 'user sign-in-link',
  summary: 'Prints a link that signs in an account once, within 24 hours.',
  words: ['NAME'],
  notes: 'For a person who has lost the password or the phone: the link needs neither.',
  async work({ context, words: [name = ''], print }) {
    const user = await getAccount(context.db, name);
    const link = await createSignInLink(context, { userId: user.id, actor: commandLine(context.now()) });
    print(`Sign-in link of "${user.username}", shown this once: ${signInUrl(siteOrigin(context.config), link)}`);
  },
});

const removeFactor = command({
  name: 'user remove-second-factor',
  summary: 'Removes the second factor of an account, for a person who has lost it.',
  words: ['NAME'],
  notes: 'The recovery codes become invalid, and the sessions of the account end.',
  async work({ context, words: [name = ''], print }) {
    const user = await getAccount(context.db, name);
    if (!hasSecondFactor(user)) throw new CommandError(`"${user.username}" has no second factor.`);
    await removeSecondFactor(context, { userId: user.id, actor: commandLine(context.now()) });
    print(`The second factor of "${user.username}" is removed.`);
  },
});

const signOutAll = command({
  name: 'user sign-out-all',
  summary: 'Ends the sessions of all accounts and revokes all sign-in links.',
  words: [],
  notes:
    'Use it after restoring a backup, which brings back ended sessions and used links. Cart holds, orders, application\n' +
    'passwords, tokens and check-in keys stay unchanged.',
  async work({ context: { db, now }, print }) {
    const hadAny = await endAllSessions(db, commandLine(now()));
    print(hadAny ? 'All accounts are signed out, and no sign-in link works.' : 'No account was signed in.');
  },
});

export const accountCommands: Command[] = [
  add,
  list,
  changePassword,
  changeRole,
  remove,
  makeLink,
  removeFactor,
  signOutAll,
  ...appPasswordCommands,
  ...tokenCommands,
];

import { commandLine } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { insertAppPassword, listAppPasswords, removeAppPassword } from '../../platform/users/credential-store.ts';
import { credentialId, credentialName } from '../../platform/users/endpoints/fields.ts';
import { appPasswordHash, generateAppPassword } from '../../platform/users/generate.ts';
import { type Command, CommandError, command } from './command.ts';
import { columns, getAccount, validated } from './input.ts';

const add = command({
  name: 'app-password add',
  summary: 'Creates an application password and prints it once.',
  words: ['USER', 'NAME'],
  notes: 'NAME is the purpose, such as the name of the program that uses it.',
  async work({ context, words: [login = '', given], print }) {
    const { name = '' } = validated({ name: credentialName }, { name: given });
    const user = await getAccount(context.db, login);
    const password = generateAppPassword(context.random);
    const hash = appPasswordHash(password);
    const now = context.now();
    const values = { user_id: user.id, name, hash, created_utc: toUtc(now) };
    const row = await insertAppPassword(context.db, values, commandLine(now));
    print(`Application password ${row.id} of "${user.username}", shown this once: ${password}`);
  },
});

const list = command({
  name: 'app-password list',
  summary: 'Lists the application passwords of an account.',
  words: ['USER'],
  async work({ context, words: [login = ''], print }) {
    const user = await getAccount(context.db, login);
    const rows = await listAppPasswords(context.db, user.id);
    const cells = rows.map((row) => [row.id, row.name, row.created_utc, row.last_used_utc]);
    for (const line of columns(['ID', 'NAME', 'CREATED (UTC)', 'LAST USED (UTC)'], cells)) print(line);
  },
});

const revoke = command({
  name: 'app-password revoke',
  summary: 'Revokes an application password: it stops working at once.',
  words: ['USER', 'ID'],
  notes: '"marquee app-password list USER" shows the ids.',
  async work({ context, words: [login = '', given], print }) {
    const { id = 0 } = validated({ id: credentialId }, { id: given });
    const user = await getAccount(context.db, login);
    const row = await removeAppPassword(context.db, user.id, id, commandLine(context.now()));
    if (!row) throw new CommandError(`"${user.username}" has no application password ${id}.`);
    print(`Application password ${row.id} ("${row.name}") is revoked.`);
  },
});

export const appPasswordCommands: Command[] = [add, list, revoke];

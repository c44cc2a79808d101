import { SCOPE_NAMES } from '../../http/core/auth.ts';
import { InvalidParams, type Problem } from '../../http/core/errors.ts';
import { commandLine } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { insertToken, listTokens, removeToken } from '../../platform/users/credential-store.ts';
import { credentialId, tokenFields } from '../../platform/users/endpoints/fields.ts';
import { readExpiry, readScopes } from '../../platform/users/endpoints/tokens.ts';
import { generateToken } from '../../platform/users/generate.ts';
import { type Command, CommandError, command } from './command.ts';
import { ALL_ROWS, columns, getAccount, validated } from './input.ts';

const add = command({
  name: 'token add',
  summary: 'Creates a token and prints it once.',
  words: ['USER', 'NAME'],
  options: {
    scopes: { value: 'LIST', about: `Scopes of the token: some of ${SCOPE_NAMES.join(',')}.`, required: true },
    expires: { value: 'DATE', about: 'Expiry date, such as 2030-01-31 or "+90 days".' },
  },
  notes: 'NAME is the purpose. A token never allows more than the role of USER does.',
  async work({ context, words: [login = '', given], options, print }) {
    const { name = '', scopes = [], expires } = validated(tokenFields, { name: given, ...options });
    const problems = new Map<string, Problem>();
    const addProblem = (parameter: string, problem: Problem) => void problems.set(parameter, problem);
    const now = context.now();
    const terms = {
      scopes: readScopes(scopes, addProblem),
      expires_utc: readExpiry(expires, { zone: context.config.timezone, now }, addProblem),
    };
    if (problems.size > 0) throw new InvalidParams(problems);
    const user = await getAccount(context.db, login);
    const token = generateToken(context.random);
    const row = { user_id: user.id, name, hash: secretHash(token), created_utc: toUtc(now), ...terms };
    const { id } = await insertToken(context.db, row, commandLine(now));
    print(`Token ${id} of "${user.username}", shown this once: ${token}`);
  },
});

const list = command({
  name: 'token list',
  summary: 'Lists the tokens of all accounts, or of one.',
  words: ['[USER]'],
  async work({ context, words: [login], print }) {
    const userId = login === undefined ? undefined : (await getAccount(context.db, login)).id;
    const { tokens } = await listTokens(context.db, { userId, ...ALL_ROWS });
    const rows = tokens.map((row) => [row.id, row.user_id, row.name, row.scopes, row.expires_utc, row.last_used_utc]);
    for (const line of columns(['ID', 'USER ID', 'NAME', 'SCOPES', 'EXPIRES (UTC)', 'LAST USED (UTC)'], rows))
      print(line);
  },
});

const revoke = command({
  name: 'token revoke',
  summary: 'Revokes a token: it stops working at once.',
  words: ['ID'],
  notes: '"marquee token list" shows the ids.',
  async work({ context, words: [given], print }) {
    const { id = 0 } = validated({ id: credentialId }, { id: given });
    const row = await removeToken(context.db, id, commandLine(context.now()));
    if (!row) throw new CommandError(`There is no token ${id}.`);
    print(`Token ${row.id} ("${row.name}") is revoked.`);
  },
});

export const tokenCommands: Command[] = [add, list, revoke];

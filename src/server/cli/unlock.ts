import { isIP } from 'node:net';
import { networkOf } from '../../lib/addresses.ts';
import { removeAllCounts, removeCount } from '../../platform/limits/database-limiter.ts';
import { countKey, LIMIT_NAMES, LIMITS } from '../../platform/limits/limits.ts';
import { accountSubject } from '../../platform/users/password-check.ts';
import { command } from './command.ts';
import { getAccount } from './input.ts';

/** Resets the counts of wrong secrets; running servers cache them and follow within a minute. */
export const unlockCommand = command({
  name: 'unlock',
  summary: 'Lets an account or an address that failed too often try passwords again.',
  words: ['[WHO]'],
  notes: 'WHO is an account (name or e-mail address) or an IP address; without it, all may try again.',
  async work({ context: { db }, words: [who], print }) {
    if (who === undefined) {
      await removeAllCounts(db);
      print('All accounts and addresses may try again.');
      return;
    }
    const isAddress = isIP(who) !== 0;
    const key = isAddress ? networkOf(who) : accountSubject((await getAccount(db, who)).id);
    const per = isAddress ? 'network' : 'account';
    const names = LIMIT_NAMES.filter((name) => LIMITS[name].kept === 'database' && LIMITS[name].per === per);
    let removed = 0;
    for (const name of names) if (await removeCount(db, countKey(name, key))) removed += 1;
    print(removed > 0 ? `${who} may try again.` : `Nothing was counted against ${who}.`);
  },
});

import { forgetSecret } from '../../db/site-secret.ts';
import { commandLine } from '../../lib/actor.ts';
import { logCommand } from '../../platform/audit/log.ts';
import { type Command, command } from './command.ts';

/** Lets the next start create another secret. */
export const forgetSecretCommand: Command = command({
  name: 'forget-secret',
  summary: 'Deletes the secret of the site, which revokes the links to all orders.',
  words: [],
  notes:
    'For a secret that was lost or disclosed. Stop every server first; the next start uses MARQUEE_SECRET,\n' +
    'or creates a new secret. New links to orders are shown to users who manage attendees.',
  openOptions: { anySecret: true },
  async work({ context: { db, now }, print }) {
    const isForgotten = await db.transaction(async (trx) => {
      const hadSecret = await forgetSecret(trx);
      if (hadSecret) await logCommand(trx, commandLine(now()), [{ field: 'secret', hidden: 'secret' }]);
      return hadSecret;
    });
    print(isForgotten ? 'The secret is forgotten: links to orders no longer work.' : 'There is no secret yet.');
  },
});

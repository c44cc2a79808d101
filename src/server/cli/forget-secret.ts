import { forgetSecret } from '../../db/site-secret.ts';
import { commandLine } from '../../lib/actor.ts';
import { logCommand } from '../../platform/audit/log.ts';
import { type Command, command } from './command.ts';

/** Lets the next start settle another secret. */
export const forgetSecretCommand: Command = command({
  name: 'forget-secret',
  summary: 'Forgets the secret of the site, which voids the links to all orders.',
  words: [],
  notes:
    'For a secret that is lost, or that others may know. Stop every server before; the next start takes MARQUEE_SECRET,\n' +
    'or makes a new secret. New links to orders are shown to those who manage attendees.',
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

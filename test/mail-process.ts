import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { environment, readConfig } from '../src/base/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { startMailSender } from '../src/jobs/mail-sender.ts';

/**
 * A process that sends mails until it is killed. Arguments: the time at which its clock began, and how many times
 * faster it is.
 */
const [began = 0, speed = 1] = process.argv.slice(2).map(Number);
const config = readConfig(environment);
const context = {
  config,
  db: openDatabase(config.database),
  log: pino({ level: 'silent' }),
  now: () => new Date(began + (Date.now() - began) * speed),
  random: randomBytes,
  siteKey: () => randomBytes(32),
};
startMailSender(context, async (_context, { to_email: to, key, message_id: messageId }) => ({
  ...{ to, messageId, subject: key, text: key, html: key, senderName: '', replyTo: '', files: [] },
}));
setInterval(() => undefined, 60_000);

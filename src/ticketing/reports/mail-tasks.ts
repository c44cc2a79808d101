import { z } from 'zod';
import { can, eventScope } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { countRecentUnsent } from '../../platform/mails/store.ts';

/** Days for which mails that did not arrive are a task. */
const DAYS = 30;
const DAY = 86_400;

export const mailTaskFields = {
  mails: z
    .object({
      held: z.int(),
      failed: z.int().describe('Refused by a mail server.'),
      bounced: z.int().describe('Came back.'),
      has_server: z.boolean().describe('Whether the server has `MARQUEE_SMTP_URL`.'),
    })
    .nullable()
    .describe(`Mails of the last ${DAYS} days that were held or failed; for users who manage all orders.`),
};

export async function findMailTasks({ context, viewer, now }: RequestContext) {
  if (eventScope(viewer, 'manage_attendees') !== 'all') return { mails: null };
  const { held, failed, bounced } = await countRecentUnsent(context.db, {
    since: addSeconds(toUtc(now), -DAYS * DAY),
    withAccounts: can(viewer, 'manage_users'),
  });
  return { mails: { held, failed, bounced, has_server: context.config.smtp !== undefined } };
}

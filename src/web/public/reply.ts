import { html } from '../html.ts';
import type { FormError } from '../parts/notice.ts';
import { notice } from '../parts/notice.ts';
import { replyField } from '../parts/reply-form.ts';
import { type Answer, seeOther } from './answer.ts';
import { eventPage } from './event.ts';
import { passwordOf } from './event-password.ts';
import { type Form, isTrapped } from './form.ts';
import { personal } from './personal-page.ts';
import type { Visit } from './visit.ts';

const NEEDED = ['name', 'email'] as const;

/** Replies to an event: leads to the ticket, or to the event with the form as it was sent. */
export async function postReply(visit: Visit, slug: string, form: Form): Promise<Answer> {
  const { t, link } = visit;
  const id = form.reply_to ?? '';
  const sent = (name: Parameters<typeof replyField>[1]) => form[replyField(id, name)];
  const again = (errors: readonly FormError[]) => eventPage(visit, slug, { errors, chosen: form });
  if (isTrapped(form)) return again([{ message: t('form.trapped') }]);
  const missing = NEEDED.filter((name) => !sent(name));
  if (missing.length > 0)
    return again(missing.map((name) => ({ message: t(`checkout.missing_${name}`), field: replyField(id, name) })));
  const { isDone, body } = await visit.submit({
    method: 'POST',
    target: 'tickets:/replies',
    body: {
      ticket_id: id,
      full_name: sent('name'),
      email: sent('email'),
      attendee_status: sent('answer'),
      quantity: sent('places') || undefined,
      password: passwordOf(visit, slug),
    },
  });
  if (!isDone) return again([errorOf(visit, id, body)]);
  // As the interface answers a reply.
  const { attendees } = body as unknown as { attendees: { url: string }[] };
  const [first] = attendees;
  return first && attendees.length === 1 ? seeOther(link(first.url)) : ticketsPage(visit, attendees);
}

/** Members of a reply, by the fields that they come from. */
const FIELDS = { full_name: 'name', email: 'email', attendee_status: 'answer', quantity: 'places' } as const;

function errorOf({ t }: Visit, id: string, { code, message = '', data }: Record<string, unknown>): FormError {
  const params = Object.keys((data as { params?: object } | undefined)?.params ?? {});
  const member = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).find((name) => params.includes(name));
  if (code === 'ticket-capacity-not-available') return { message: String(message), field: replyField(id, 'places') };
  if (member === undefined) return { message: String(message) };
  return { message: t(`reply.wrong_${FIELDS[member]}`), field: replyField(id, FIELDS[member]) };
}

/** The addresses of several tickets, which no other page shows. */
function ticketsPage(visit: Visit, attendees: readonly { url: string }[]): Answer {
  const { t, link, origin } = visit;
  const main = html`<h1>${t('reply.done')}</h1>
${notice('good', t('reply.keep'))}
<ol>${attendees.map(({ url }) => html`<li><a href="${link(url)}">${origin}${link(url)}</a></li>`)}</ol>`;
  return personal(visit, { title: t('reply.done'), main, kind: 'ticket' });
}

import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import { type Event, findEvent } from '../../calendar/events/store.ts';
import { ownedAs } from '../../calendar/posts/post.ts';
import { can, mayEdit, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, clearable, integer, oneOf, plainBlock, plainLine, text } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { type MailKind, WORDED_MAIL_KINDS } from '../../lib/mail-kinds.ts';
import { isMailAddress } from '../../lib/text/email.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { withinLimits } from '../../platform/limits/limits.ts';
import { mailboxHash, queueMail } from '../../platform/mails/outbox.ts';
import { accountSubject } from '../../platform/users/password-check.ts';
import { auditedMailText, getMailText, type MailText, type OwnText, type RenderSample } from './mail-text-store.ts';
import { PLACEHOLDERS, placeholdersOf, unknownPlaceholders } from './placeholders.ts';

/** Subjects and introductions that organizers write for mails, for the site or one event. */

const MAX_SUBJECT = 200;
const MAX_INTRODUCTION = 2000;

const mailTextSchema = z
  .object({
    id: z.int(),
    kind: z.enum(WORDED_MAIL_KINDS),
    language: z.string(),
    event: z.int().nullable().describe('Id of the event; null for all events.'),
    subject: z.string().describe('Empty for the default.'),
    introduction: z.string().describe('Empty for the default.'),
    modified_utc: utcTime,
  })
  .meta({ id: 'MailText', description: 'Texts of organizers in mails of a kind, in one language.' });

const previewSchema = z
  .object({
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    placeholders: z.array(z.enum(PLACEHOLDERS)).describe('Placeholders for which mails of the kind have values.'),
    sent_to: z.string().nullable().describe('Address to which a test mail is on its way.'),
  })
  .meta({ id: 'MailPreview', description: 'A mail about a sample: its order, code and links lead nowhere.' });

interface Target {
  /** Undefined for texts of the site. */
  event: Event | undefined;
  isMissing: boolean;
  text?: MailText | undefined;
}

/** Texts of the site are for editors, those of an event for users who may edit it. */
function mayWrite(viewer: Viewer, target: Target | undefined): boolean {
  if (!target) return can(viewer, 'edit');
  const { event } = target;
  return event ? mayEdit(viewer, ownedAs(event)) : can(viewer, 'edit_others');
}

async function targetOf({ context }: RequestContext, id: number): Promise<Target> {
  const event = id === 0 ? undefined : await findEvent(context.db, id);
  return { event: event?.status === 'trash' ? undefined : event, isMissing: id !== 0 && event === undefined };
}

/** @throws {ApiError} rest-event-not-found */
function requireEvent(target: Target | undefined): void {
  if (target?.isMissing) throw new ApiError('rest-event-not-found');
}

const kindField = oneOf('Kind of mail.', WORDED_MAIL_KINDS);
const languageField = text('Language of the site.', { max: 20 });
const eventField = integer('Id of an event; by default the texts are for all events.', { min: 1 });
const subject = clearable(plainLine('Subject, with placeholders such as `{event}`.', { max: MAX_SUBJECT }));
const introduction = clearable(
  plainBlock('Introduction, plain text with placeholders; a blank line begins a paragraph.', { max: MAX_INTRODUCTION }),
);

/** Properties shared by endpoints that name an event, or none for the site. */
const ofEvent = {
  namespace: 'admin',
  find: ({ event }: { event?: number }, ctx: RequestContext): Promise<Target> => targetOf(ctx, event ?? 0),
  may: mayWrite,
} as const;

const render = ({ event_id, ...row }: MailText): z.output<typeof mailTextSchema> => ({
  ...row,
  event: event_id || null,
});

const list = endpoint({
  ...ofEvent,
  methods: ['GET'],
  path: '/mail-texts',
  name: 'mail_texts.list',
  summary: 'List the texts of organizers in mails',
  description: 'Texts of the site, for editors; with `event`, texts of the event, for users who may edit it.',
  input: {
    ...pageFields,
    event: eventField,
    kind: oneOf('Only this kind of mail.', WORDED_MAIL_KINDS),
    language: text('Only this language.', { max: 20 }),
  },
  responses: { 200: listSchema('mail_texts', mailTextSchema, 'MailTextList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'rest-event-not-found'],
  async handle({ context, urls }, { event, kind, language, ...paging }, target) {
    requireEvent(target);
    const page = pageOf(paging, context.config.perPage);
    const found = context.db.query
      .selectFrom('mail_texts')
      .where('event_id', '=', event ?? 0)
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'order'))
      .$if(language !== undefined, (query) => query.where('language', '=', language ?? ''));
    const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await found
      .selectAll()
      .orderBy('kind')
      .orderBy('language')
      .orderBy('id')
      .limit(page.perPage)
      .offset(page.offset)
      .execute();
    const url = urls.rest('admin', '/mail-texts');
    const params = { per_page: page.perPage, event, kind, language };
    return listResponse({ key: 'mail_texts', items: rows.map(render), total: Number(total), page, url, params });
  },
});

const write = endpoint({
  ...ofEvent,
  methods: ['PUT'],
  path: '/mail-texts',
  name: 'mail_texts.write',
  summary: 'Write the subject and introduction of a kind of mail',
  description:
    'They replace the default texts, in one language. Placeholders are `{event}`, `{date}`, `{venue}`, `{name}`, `{site}` and, in mails about an order, `{order}`.',
  input: { kind: kindField, language: languageField, event: eventField, subject, introduction },
  required: ['kind', 'language'],
  body: 'MailTextInput',
  responses: { 200: mailTextSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden', 'rest-event-not-found'],
  async handle({ context, actor, now }, { kind, language, event = 0, subject, introduction }, target) {
    requireEvent(target);
    requireLanguage(context, language);
    const own = { subject: subject ?? '', introduction: introduction ?? '' };
    requirePlaceholders(kind, own);
    if (own.subject === '' && own.introduction === '') throw invalidParam('subject', 'param.filled_text');
    const key = { kind, language, event_id: event };
    const values = { ...own, modified_utc: toUtc(now) };
    const written = await context.db.transaction(async (trx) => {
      await trx.dialect.lock(trx, 'mail-texts');
      const { query } = trx;
      const found = await query
        .selectFrom('mail_texts')
        .select('id')
        .where(({ and }) => and(key))
        .executeTakeFirst();
      if (found) {
        const record = { kind: auditedMailText, id: found.id };
        await logChange(trx, actor, record, () =>
          query.updateTable('mail_texts').set(values).where('id', '=', found.id).execute(),
        );
        return getMailText(trx, found.id);
      }
      const made = await query
        .insertInto('mail_texts')
        .values({ ...key, ...values })
        .returningAll()
        .executeTakeFirstOrThrow();
      await logCreation(trx, actor, { kind: auditedMailText, id: made.id });
      return made;
    });
    return ok(render(assertFound(written)), PRIVATE_NO_STORE);
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/mail-texts/{id}',
  name: 'mail_texts.delete',
  summary: 'Restore the default text of a kind of mail',
  input: { id: integer('Id of the text.', { min: 1 }) },
  required: ['id'],
  responses: { 200: mailTextSchema },
  errors: ['rest_forbidden', 'mail-text-not-found'],
  async find({ id }: { id?: number }, ctx): Promise<Target> {
    const found = id === undefined ? undefined : await getMailText(ctx.context.db, id);
    return { ...(await targetOf(ctx, found?.event_id ?? 0)), text: found };
  },
  may: mayWrite,
  async handle({ context, actor }, _input, target) {
    const found = target?.text;
    if (!found) throw new ApiError('mail-text-not-found');
    await context.db.transaction((trx) =>
      logChange(trx, actor, { kind: auditedMailText, id: found.id }, () =>
        trx.query.deleteFrom('mail_texts').where('id', '=', found.id).execute(),
      ),
    );
    return ok(render(found), PRIVATE_NO_STORE);
  },
});

const preview = (renderSample: RenderSample) =>
  endpoint({
    ...ofEvent,
    methods: ['POST'],
    path: '/mail-preview',
    name: 'mail_texts.preview',
    summary: 'Preview a kind of mail with other texts',
    description:
      'Renders a sample with the sent texts; nothing is stored. With `send`, a test mail with the stored texts is sent to the address of the account.',
    input: {
      kind: kindField,
      language: languageField,
      event: eventField,
      subject,
      introduction,
      send: boolean('true: also send a test mail to the address of the own account.'),
    },
    required: ['kind', 'language'],
    body: 'MailPreviewInput',
    responses: { 200: previewSchema },
    errors: ['rest_missing_callback_param', 'rest_forbidden', 'rest-event-not-found', 'too-many-mails'],
    async handle(ctx, { kind, language, event = 0, subject, introduction, send = false }, target) {
      const { context, urls } = ctx;
      requireEvent(target);
      requireLanguage(context, language);
      const own = { subject: subject ?? '', introduction: introduction ?? '' };
      requirePlaceholders(kind, own);
      const origin = context.config.url ?? urls.origin;
      const { subject: line, text, html } = await renderSample(context, kind, { event, language, origin, own });
      const sent_to = send ? await sendTest(ctx, { kind, language, event }) : null;
      const placeholders = [...placeholdersOf(kind)];
      return ok({ subject: line, text, html, placeholders, sent_to }, PRIVATE_NO_STORE);
    },
  });

/** @throws {InvalidParams} */
function requireLanguage({ config }: Context, language: string): void {
  if (!config.languages.includes(language))
    throw invalidParam('language', 'param.one_of', { allowed: config.languages.join(', ') });
}

/** @throws {InvalidParams} for braces with a word that is no placeholder of the kind */
function requirePlaceholders(kind: MailKind, own: OwnText): void {
  for (const name of ['subject', 'introduction'] as const) {
    const [unknown] = unknownPlaceholders(kind, own[name]);
    if (unknown === undefined) continue;
    const allowed = placeholdersOf(kind)
      .map((one) => `{${one}}`)
      .join(', ');
    throw invalidParam(name, 'param.placeholder', { placeholder: `{${unknown.slice(0, 50)}}`, allowed });
  }
}

/**
 * Queues a test mail to the account. Returns its address; null for an account without a valid one.
 * @throws {ApiError} too-many-mails
 */
async function sendTest(
  { context, viewer, now }: RequestContext,
  { kind, language, event }: { kind: MailKind; language: string; event: number },
): Promise<string | null> {
  const { id = 0, email = '' } = viewer.account ?? {};
  if (!isMailAddress(email)) return null;
  const key = `sample-${id}-${context.random(8).toString('hex')}`;
  const write = () =>
    context.db.transaction((trx) =>
      queueMail(trx, {
        ...{ kind, key, to: email, language, now, userId: id, eventId: event },
        ...{ record_kind: 'sample', record_id: event },
      }),
    );
  await withinLimits(
    context,
    'too-many-mails',
    [
      { limit: 'copies-by-mailbox', key: mailboxHash(email) },
      { limit: 'copies-by-account', key: accountSubject(id) },
    ],
    write,
  );
  return email;
}

/** @param renderSample mails are rendered like pages, which are above this layer */
export const mailTextEndpoints = (renderSample: RenderSample): readonly AnyEndpoint[] => [
  list,
  write,
  remove,
  preview(renderSample),
];
